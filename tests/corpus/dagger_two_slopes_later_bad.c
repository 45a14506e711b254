// plumb: truth=false dagger=false
// One branch breaks the balance.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0, y = 0;
    if (__VERIFIER_nondet_int()) { x += 1; y += 1; } else { x += 12; y += 12; }
    if (__VERIFIER_nondet_int()) { x += 1; y += 1; } else { x += 10; y += 10; }
    if (__VERIFIER_nondet_int()) { x += 1; y += 1; } else { x += 8; y += 8; }
    if (__VERIFIER_nondet_int()) { x += 1; y += 1; } else { x += 6; y += 7; }
    if (__VERIFIER_nondet_int()) { x += 1; y += 1; } else { x += 4; y += 4; }
    while (__VERIFIER_nondet_int() && x < 100000) {
        x += 2;
        if (__VERIFIER_nondet_int())
            y += 1;
        else
            y += 2;
    }
    if (y > x || x > 100001)
        reach_error();
    return 0;
}
