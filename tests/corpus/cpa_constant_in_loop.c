// plumb: truth=true value=true value-sep=true interval=true polyhedra=true default=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 3, n = 0;
    while (__VERIFIER_nondet_int()) {
        n++;
        if (x != 3) reach_error();
    }
    return n;
}
