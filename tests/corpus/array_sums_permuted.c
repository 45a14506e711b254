// plumb: truth=true bmc=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* Sums do not depend on the order: of 900 cells, forwards and backwards, then with all cells moved by one. */
long long forwards(int *a) {
    long long s = 0;
    for (int i = 0; i < 900; i++)
        s += a[i];
    return s;
}

int main(void) {
    int a[900];
    for (int i = 0; i < 900; i++)
        a[i] = __VERIFIER_nondet_int();
    long long first = forwards(a), second = 0;
    for (int i = 899; i >= 0; i--)
        second += a[i];
    int last = a[899];
    for (int i = 899; i > 0; i--)
        a[i] = a[i - 1];
    a[0] = last;
    if (first != second || first != forwards(a))
        reach_error();
    return 0;
}
