// plumb: truth=true dagger=true dagger-oct=true dagger-box=true
// A buffer of a line that is flushed when it is full; one place may be taken back. Nested loops skip what is not wanted.
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
            if (used > 1) {
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
