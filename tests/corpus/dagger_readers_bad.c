// plumb: truth=false options=--integers=ideal dagger=false
// A reader that is alone gets lost.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int idle = __VERIFIER_nondet_int(), reading = 0, writing = 0;
    if (idle < 1)
        return 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (idle < 1)
                return 0;
            idle = idle + reading + writing - 1;
            reading = 0;
            writing = 1;
        } else if (__VERIFIER_nondet_int()) {
            if (idle < 1)
                return 0;
            idle--;
            reading = reading + writing;
            writing = 0;
        } else {
            if (reading < 1)
                return 0;
            reading--;
            idle++;
        }
    }
    if (writing > 1 || reading < 0 || idle < 0 || idle + reading + writing < 1)
        reach_error();
    return 0;
}
