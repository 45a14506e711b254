// plumb: truth=true interval=true kinduction=true default=true
// A filter with a memory: intervals of floats, with rounding, are inductive.
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    float state = 0.0f;
    double time = 0.0;
    while (__VERIFIER_nondet_int()) {
        float x = __VERIFIER_nondet_float();
        if (!(x >= -10.0f && x <= 10.0f))
            continue;
        state = 0.75f * state + 0.25f * x;
        time += 0.125;
        if (time > 60.0)
            time = 0.0;
        if (!(state >= -11.0f && state <= 11.0f))
            reach_error();
        if (!(time >= 0.0 && time <= 60.0))
            reach_error();
    }
    return 0;
}
