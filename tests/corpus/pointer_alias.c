// plumb: truth=false bmc=false kinduction=false default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 1, y = 1;
    int *p = __VERIFIER_nondet_int() ? &x : &y;
    int *q = __VERIFIER_nondet_int() ? &x : &y;
    *p = 2;
    *q = 3;
    check(*p == 2);
    return 0;
}
