// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int calls;
int touch(int r) { calls++; return r; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x && touch(1) || touch(0))
        check(calls == 1);
    else
        check(calls == 1);
    return 0;
}
