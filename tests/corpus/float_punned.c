// plumb: truth=true bmc=true default=true
// Half the pattern of a float, got at through a union, is about the pattern of its root.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
union word { float value; unsigned bits; };
int main(void)
{
    float x = __VERIFIER_nondet_float();
    if (!(x > 0.5f && x < 1000.0f)) return 0;
    union word w;
    w.value = x;
    w.bits = (w.bits >> 1) + 0x1fc00000;
    if (!(w.value * w.value > 0.9f * x && w.value * w.value < 1.2f * x))
        reach_error();
    return 0;
}
