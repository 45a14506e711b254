// plumb: truth=false execute=false bmc=false
// Inputs must pass assumptions one after the other; the last one needs a constant of the program.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern void abort(void);

static void assume(int cond) {
    if (!cond) abort();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    assume(n > 2 && n < 9);
    double x = __VERIFIER_nondet_double();
    assume(x > 0.25 && x < 0.75);
    unsigned char kind = __VERIFIER_nondet_uchar();
    assume(kind == 'q' || kind == 'Q');
    int code = __VERIFIER_nondet_int();
    assume(code >= 40960);
    if (code == 40961 && x * n > 1.5) reach_error();
    return 0;
}
