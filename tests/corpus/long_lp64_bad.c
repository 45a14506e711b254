// plumb: truth=false options=--data-model=LP64 bmc=false kinduction=unknown default=false
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    long x = __VERIFIER_nondet_long();
    int y = (int)x;
    check(y == x);
    return 0;
}
