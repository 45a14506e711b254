// plumb: truth=true bmc=unknown kinduction=unknown horn=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_int()) {
        x += 2;
    }
    check(x % 2 == 0);
    return 0;
}
