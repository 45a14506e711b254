// plumb: truth=false bmc=false kinduction=false ufo=false ufo-cp=false ufo-bp=false ufo-box=false ufo-oct=false ufo-poly=false cp=false bp=false default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = 0, entered = 0;
    if (__VERIFIER_nondet_int())
        goto inside;
    while (i < 3) {
        entered = 1;
inside:
        i++;
    }
    check(entered == 1 && i == 3);
    if (i == 3)
        reach_error();
    return 0;
}
