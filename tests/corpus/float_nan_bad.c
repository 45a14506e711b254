// plumb: truth=false bmc=false kinduction=unknown default=false
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    double x = __VERIFIER_nondet_double();
    check(x == x);
    return 0;
}
