// plumb: truth=true options=--integers=ideal dagger=true
// Readers and a writer that wait for each other, counted: none is lost and the writer is alone.
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
            reading = reading + writing + 1;
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
