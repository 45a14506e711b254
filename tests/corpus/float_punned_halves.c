// plumb: truth=true bmc=true default=true
// The sign of a double is changed in its upper half.
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
union words { double value; struct { unsigned low, high; } parts; };
int main(void)
{
    double y = __VERIFIER_nondet_double();
    if (!(y >= 1.0 && y < 2.0)) return 0;
    union words u;
    u.value = y;
    if (u.parts.high < 0x3ff00000 || u.parts.high > 0x3fffffff)
        reach_error();
    u.parts.high ^= 0x80000000;
    u.parts.low = 0;
    if (!(u.value <= -1.0 && u.value > -2.0))
        reach_error();
    return 0;
}
