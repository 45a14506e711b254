// plumb: truth=false dagger=false
// Two places are taken back where there may be one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int used = 0;
    char line[80];
    while (__VERIFIER_nondet_int()) {
        int c = __VERIFIER_nondet_int();
        while (c < 0)
            c = __VERIFIER_nondet_int();
        if (used >= 79)
            used = 0;
        if (used < 0 || used >= 80)
            reach_error();
        line[used] = 'x';
        used++;
        if (c == 8) {
            if (used > 0) {
                used--;
                if (__VERIFIER_nondet_int())
                    used--;
            } else {
                used = 0;
            }
        }
    }
    return line[0] == 'y';
}
