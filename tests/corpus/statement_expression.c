// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

#define MAX(a, b) ({ __typeof__(a) x = (a); __typeof__(b) y = (b); x > y ? x : y; })
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int m = MAX(a, b);
    check(m >= a && m >= b && (m == a || m == b));
    return 0;
}
