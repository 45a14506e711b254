// plumb: truth=true bmc=true default=true
// The pattern of a float through a union, whole and in halves.
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

union word { float value; unsigned bits; };
union words { double value; struct { unsigned low, high; } parts; };

int main(void)
{
    float x = __VERIFIER_nondet_float();
    double y = __VERIFIER_nondet_double();
    if (!(x > 0.5f && x < 1000.0f) || !(y >= 1.0 && y < 2.0))
        return 0;
    union word w;
    w.value = x;
    // Half the exponent is about the root.
    w.bits = (w.bits >> 1) + 0x1fc00000;
    if (!(w.value * w.value > 0.9f * x && w.value * w.value < 1.2f * x))
        reach_error();
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
