// plumb: truth=false execute=false
// A machine that opens after seven right inputs in a row, one branch each: executions are remembered for coming further.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0;
    while (1) {
        int digit = __VERIFIER_nondet_int();
        if (digit < 1 || digit > 9) return 0;
        switch (state) {
        case 0: if (digit == 4) state = 1; break;
        case 1: if (digit == 8) state = 2; else if (digit != 4) state = 0; break;
        case 2: if (digit == 1) state = 3; else state = 0; break;
        case 3: if (digit == 5) state = 4; else state = 0; break;
        case 4: if (digit == 1) state = 5; else state = 0; break;
        case 5: if (digit == 6) state = 6; else state = 0; break;
        case 6: if (digit == 2) reach_error(); state = 0; break;
        }
    }
}
