// plumb: truth=true bmc=unknown kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true cp=true bp=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int seen = 0;
    for (;;) {
        int x = __VERIFIER_nondet_int();
        if (x == 0)
            break;
        if (x < 0)
            continue;
        seen = 1;
    }
    check(seen == 0 || seen == 1);
    return 0;
}
