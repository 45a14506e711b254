// plumb: truth=false default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* The last layer is asked for where the loop was not entered, too. */
int main(void) {
    int limit = __VERIFIER_nondet_int(), n = 0;
    unsigned layer = 0, difference = 1, stones = 0;
    while (n < limit) {
        layer += difference;
        difference += 2;
        stones += layer;
        n++;
    }
    unsigned m = n;
    if (6 * stones != m * (m + 1) * (2 * m + 1))
        reach_error();
    if (limit >= -3 && layer != (unsigned)limit * (unsigned)limit)
        reach_error();
    return 0;
}
