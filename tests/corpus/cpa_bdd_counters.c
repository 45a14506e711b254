// plumb: truth=true bdd=true value=unknown interval=unknown
// Eight counters that jump through the same few values, each on its own: very many states, a small diagram.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int step(int x) {
    if (x == 0) return 3;
    if (x == 3) return 7;
    if (x == 7) return 12;
    return 0;
}

int main(void) {
    int a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    while (1) {
        int k = __VERIFIER_nondet_int();
        if (k == 0) a = step(a);
        if (k == 1) b = step(b);
        if (k == 2) c = step(c);
        if (k == 3) d = step(d);
        if (k == 4) e = step(e);
        if (k == 5) f = step(f);
        if (k == 6) g = step(g);
        if (k == 7) h = step(h);
        if (k == 8) {
            // Two of them change places.
            int t = a;
            a = h;
            h = t;
        }
        if (a == 5 || b == 6 || c == 1 || d == 10 || e == 4 || f == 8 || g == 11 || h == 9) reach_error();
    }
}
