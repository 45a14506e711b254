// plumb: truth=true guess=true
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

/* Squares by differences: the law of the loop is a polynomial that nobody states. */
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, square = 0, odd = 1;
    while (i != n) {
        i++;
        square += odd;
        odd += 2;
    }
    if (square != n * n)
        reach_error();
    return 0;
}
