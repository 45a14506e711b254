// plumb: truth=true templates=true
// An equation with a coefficient that is not 1: no interval and no octagon says it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rounds = 0, bytes = 12;
    while (rounds < 50000 && __VERIFIER_nondet_int()) {
        rounds++;
        bytes += 3;
    }
    if (bytes != 3 * rounds + 12) reach_error();
    return 0;
}
