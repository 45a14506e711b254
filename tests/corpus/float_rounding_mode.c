// plumb: truth=true bmc=unknown kinduction=unknown horn=unknown default=unknown
// The rounding mode is not modelled: a program that changes it gets no answer, and no wrong one.
extern double __VERIFIER_nondet_double(void);
extern int fesetround(int);
extern double rint(double);
extern double ceil(double);
extern void reach_error(void);

int main(void)
{
    double d = __VERIFIER_nondet_double();
    if (!(d > 0.0 && d < 100.0))
        return 0;
    fesetround(0x800);
    double up = rint(d);
    fesetround(0);
    if (up != ceil(d))
        reach_error();
    return 0;
}
