// plumb: truth=true options=--integers=ideal dagger=true
// A pipeline of stages with flags: what waits is never more than the stage allows.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int free = 0, seat = 0, door = 0, first = 0, second = 0, master = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (first != 0 || free < 1)
                return 0;
            free--;
            seat++;
            first = 1;
        } else if (__VERIFIER_nondet_int()) {
            if (second != 0 || free < 1)
                return 0;
            free--;
            seat++;
            second = 1;
        } else if (__VERIFIER_nondet_int()) {
            if (master != 0)
                return 0;
            free++;
            master = 1;
        } else if (__VERIFIER_nondet_int()) {
            if (master != 1 || seat < 1)
                return 0;
            seat--;
            door++;
            master = 2;
        } else if (__VERIFIER_nondet_int()) {
            if (master != 2 || door != 0)
                return 0;
            master = 0;
        } else if (__VERIFIER_nondet_int()) {
            if (first != 1 || door < 1)
                return 0;
            door--;
            first = 0;
        } else {
            if (second != 1 || door < 1)
                return 0;
            door--;
            second = 0;
        }
    }
    if (door > 1 || door > master || first > 1 || second > 1 || seat + free > master)
        reach_error();
    return 0;
}
