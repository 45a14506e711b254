// plumb: truth=true bmc=unknown default=unknown
// Arithmetic in another rounding mode is not modelled: the program gets no answer, and no wrong one.
extern double __VERIFIER_nondet_double(void);
extern int fesetround(int);
extern void reach_error(void);

int main(void)
{
    double d = __VERIFIER_nondet_double();
    if (!(d > 1.0 && d < 2.0))
        return 0;
    fesetround(0x800);
    double sum = d + 1e-30;
    if (!(sum > d))
        reach_error();
    return 0;
}
