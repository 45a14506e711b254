// plumb: truth=true bmc=true kinduction=true default=true
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x >= 1.0f && x <= 2.0f)
        check(x * 2.0f <= 4.0f);
    return 0;
}
