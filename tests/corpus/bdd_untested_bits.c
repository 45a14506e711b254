// plumb: truth=true bdd=true
// In one of the states the flag can be anything that it is ever given, which is not any integer.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int state = 0;
int flag = 0;
int level = 4;

int step(int input) {
    if (state == 0 && input > 3) {
        flag = 1;
        state = 1;
        return 20;
    }
    if (state == 0) {
        state = 1;
        return 21;
    }
    if (flag != 0 && flag != 1) reach_error();
    if (level == 4) level = 6;
    else if (level == 6) level = 5;
    else if (level == 5) level = 4;
    else reach_error();
    state = 0;
    flag = 0;
    return 22;
}

int main(void) {
    int output = -1;
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input < 1 || input > 6) return output;
        output = step(input);
    }
}
