// plumb: truth=false bmc=unknown kinduction=unknown default=unknown
// Which NaN a division yields is open: the processor gives this one a sign, a compiler that folds it none. So nothing is proved of its sign, and an execution that depends on it is not replayed.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void) {
    double zero = __VERIFIER_nondet_double();
    if (zero == 0.0) {
        double nan = zero / zero;
        if (!__builtin_signbit(nan))
            reach_error();
    }
    return 0;
}
