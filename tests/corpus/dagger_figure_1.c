// plumb: truth=true options=--integers=ideal dagger=true dag-widen=unknown
// Figure 1 of Gulavani, Chakraborty, Nori, Rajamani (TACAS 2008) with the boxed code: neither widening nor interpolation alone finds
// the invariant x <= y <= 100 * x && z == 10 * w.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0, y = 0, z = 0, w = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            x = x + 1;
            y = y + 100;
        } else if (__VERIFIER_nondet_int()) {
            if (x >= 4) {
                x = x + 1;
                y = y + 1;
            }
        } else if (y > 10 * w && z >= 100 * x) {
            y = -y;
        }
        w = w + 1;
        z = z + 10;
    }
    if (x >= 4 && y <= 2)
        reach_error();
    return 0;
}
