// plumb: truth=false bmc=false kinduction=unknown ufo=false ufo-cp=false ufo-bp=false ufo-box=false ufo-oct=false ufo-poly=false cp=false bp=false default=false
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x > 0.5f && x < 1.0f)
        check(x + 16777216.0f != 16777216.0f);
    return 0;
}
