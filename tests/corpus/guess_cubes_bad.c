// plumb: truth=false default=false
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

/* The first difference starts too high: wrong from the second cube on. */
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, cube = 0, first = 1, second = 7;
    while (i != n) {
        i++;
        cube += first;
        first += second;
        second += 6;
    }
    if (cube != n * n * n)
        reach_error();
    return 0;
}
