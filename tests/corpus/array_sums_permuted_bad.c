// plumb: truth=false bmc=false default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* The last cell is lost when all cells are moved by one. */
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
    long long first = forwards(a);
    for (int i = 899; i > 0; i--)
        a[i] = a[i - 1];
    a[0] = 0;
    if (first != forwards(a))
        reach_error();
    return 0;
}
