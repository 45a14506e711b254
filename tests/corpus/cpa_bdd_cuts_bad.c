// plumb: truth=false bdd=false
// The valve of cpa_bdd_cuts.c with a reading that can be lower.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int mode = 1, reading = 10, pressure = 0;

int main(void) {
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (mode == 1 && input > 7) {
            reading = input % 60 - 31;
            mode = 2;
        } else if (mode == 2 && input < 3) {
            pressure = reading * 2 + 61;
            mode = 3;
        } else if (mode == 3) {
            if (pressure <= 0 || pressure > 119) {
                reach_error();
            }
            mode = 1;
        }
    }
}
