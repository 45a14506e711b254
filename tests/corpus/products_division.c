// plumb: truth=true kinduction=true default=true
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
void check(int ok) { if (!ok) reach_error(); }

/* Division by doubling: the laws of both loops are polynomials, modulo 2^32. */
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned rest = a, quotient = 0, shifted = b, count = 1;
    if (b == 0)
        return 0;
    while (1) {
        check(shifted == b * count && quotient * b + rest == a);
        if (rest < shifted || shifted >= 1u << 30)
            break;
        shifted *= 2;
        count *= 2;
    }
    while (__VERIFIER_nondet_uint()) {
        check(shifted == b * count && quotient * b + rest == a);
        if (rest >= shifted) {
            rest -= shifted;
            quotient += count;
        } else {
            rest -= b;
            quotient++;
        }
    }
    return 0;
}
