/* Binary search in a sorted array; the middle is computed as people compute it. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int low = 0;
    int high = __VERIFIER_nondet_int();
    if (high < 0)
        return 0;
    while (low < high) {
        int middle = (low + high) / 2;
        if (middle < low)
            reach_error();
        if (__VERIFIER_nondet_int())
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
