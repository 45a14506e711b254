// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int sum(int n) {
    if (n <= 0)
        return 0;
    return n + sum(n - 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 5)
        return 0;
    check(sum(n) != 10);
    return 0;
}
