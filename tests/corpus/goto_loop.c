// plumb: truth=true bmc=true kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true cp=true bp=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int i = 0;
again:
    if (i < 8) {
        i += 2;
        goto again;
    }
    check(i == 8);
    return 0;
}
