// plumb: truth=true bmc=true default=true
// One step of Newton's method for a cubic: the float solver would unfold the circuit, bisection needs some hundred intervals.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

double f(double x) { return x * x * x - 2.0 * x - 5.0; }
double slope(double x) { return 3.0 * x * x - 2.0; }

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x >= 1.9 && x <= 2.3))
        return 0;
    x = x - f(x) / slope(x);
    if (!(f(x) > -0.1 && f(x) < 0.4))
        reach_error();
    return 0;
}
