// plumb: truth=true kinduction-octagon=true octagon=unknown
// That the counters stay together is known to octagons and not k-inductive; that the phases follow each other is 2-inductive and unknown to octagons.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, j = 0, s = 0, t = 0;
    while (i < 2000000 && __VERIFIER_nondet_int()) {
        i = i + 1;
        j = j + 1;
        if (s == 0) {
            s = 2;
            t = 7;
        } else if (s == 2) {
            if (t != 7) reach_error();
            s = 5;
            t = 1;
        } else {
            if (t != 1) reach_error();
            s = 0;
        }
        if (i == 1000000 && j != 1000000) reach_error();
    }
    return 0;
}
