// plumb: truth=true guess=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* A counter is at its bound after the loop, unless the bound is negative: then it has never left zero. */
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, sum = 0;
    while (i < n) {
        i++;
        sum += n;
    }
    if (sum != i * n || (i != 0 && i != n))
        reach_error();
    return 0;
}
