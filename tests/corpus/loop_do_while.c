// plumb: truth=true bmc=unknown kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true cp=true bp=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int calls = 0, more;
    do {
        more = __VERIFIER_nondet_int();
        if (calls < 100)
            calls++;
    } while (more);
    check(calls >= 1 && calls <= 100);
    return 0;
}
