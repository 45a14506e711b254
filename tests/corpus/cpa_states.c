// plumb: truth=true value=unknown value-sep=true interval=unknown predicate=true predicate-edges=true default=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int state = 0, data = 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 0) {
            state = 2;
            data = 7;
        } else if (state == 2) {
            if (data != 7) reach_error();
            state = 5;
            data = 1;
        } else {
            if (data != 1) reach_error();
            state = 0;
        }
    }
    return 0;
}
