// plumb: truth=true bmc=true default=true
// Functions that round to an integral value do so in the mode of the moment.
extern double __VERIFIER_nondet_double(void);
extern int fesetround(int);
extern int fegetround(void);
extern double rint(double);
extern double ceil(double);
extern double floor(double);
extern long lrint(double);
extern void reach_error(void);

int main(void)
{
    double d = __VERIFIER_nondet_double();
    if (!(d > 0.0 && d < 100.0))
        return 0;
    if (fegetround() != 0 || fesetround(0x800) != 0 || fesetround(7) == 0 || fegetround() != 0x800)
        reach_error();
    double up = rint(d);
    if (fesetround(0x400))
        reach_error();
    double down = rint(d);
    if (lrint(2.5) != 2)
        reach_error();
    fesetround(0xc00);
    if (lrint(-2.5) != -2)
        reach_error();
    fesetround(0);
    if (lrint(3.5) != 4)
        reach_error();
    if (up != ceil(d) || down != floor(d) || up - down > 1.0)
        reach_error();
    return 0;
}
