// plumb: truth=true guess=true
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

/* Cubes by differences: the laws of the loop are polynomials that nobody states. */
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, cube = 0, first = 1, second = 6;
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
