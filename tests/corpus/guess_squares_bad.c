// plumb: truth=false default=false
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

/* The differences grow by three: wrong from the second square on. */
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, square = 0, odd = 1;
    while (i != n) {
        i++;
        square += odd;
        odd += 3;
    }
    if (square != n * n)
        reach_error();
    return 0;
}
