// plumb: truth=true bmc=unknown kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    if (n < 0 || n > 1000000)
        return 0;
    while (i < n)
        i++;
    check(i == n);
    return 0;
}
