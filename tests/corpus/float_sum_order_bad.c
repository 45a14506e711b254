// plumb: truth=false bmc=false default=false
// Sums of floats depend on the order: a search for the inputs is a matter of bits.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void) {
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float(), c = __VERIFIER_nondet_float();
    if (a > 1.0f && a < 2.0f && b > 1.0f && b < 2.0f && c > 1.0f && c < 2.0f) {
        float left = (a + b) + c, right = a + (b + c);
        if (left - right > 0.0f)
            reach_error();
    }
    return 0;
}
