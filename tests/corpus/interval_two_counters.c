// plumb: truth=true bmc=true kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true cp=true bp=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = 0, j = 100;
    while (i < 100) {
        i++;
        if (j > 0)
            j--;
        if (__VERIFIER_nondet_int())
            j = 50;
    }
    check(j >= 0 && j <= 100);
    return 0;
}
