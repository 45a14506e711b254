// plumb: truth=true guess=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* Stones of a pyramid: six times their number is a polynomial of the layers, which cannot be solved for its cube modulo 2^32.
   That the last layer has limit * limit stones holds if the loop was entered: the counter then meets the limit. */
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
    if (limit >= 0 && layer != (unsigned)limit * (unsigned)limit)
        reach_error();
    return 0;
}
