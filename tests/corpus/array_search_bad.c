// plumb: truth=false bmc=false kinduction=unknown ufo=false ufo-cp=false ufo-bp=false ufo-box=false ufo-oct=false ufo-poly=false cp=false bp=false default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int a[4] = {3, 1, 4, 1};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 4)
        return 0;
    check(a[i] != 4);
    return 0;
}
