// plumb: truth=true bmc=true default=true
// Two writers and a schedule, as sequentialised programs have it: which cell holds the counter depends on the round, and the guess of the second round's start is checked at the end.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int counter[2];
unsigned char owner[2];
unsigned char round_now;

static void step(void) {
    unsigned char k = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(round_now + k < 2);
    round_now += k;
}

static void writer(unsigned char me) {
    round_now = 0;
    step();
    __VERIFIER_assume(owner[round_now] == 0);
    owner[round_now] = me;
    for (int i = 0; i < 2; i++) {
        step();
        __VERIFIER_assume(owner[round_now] == me);
        int seen = counter[round_now];
        step();
        __VERIFIER_assume(owner[round_now] == me);
        counter[round_now] = seen + 1;
    }
    step();
    __VERIFIER_assume(owner[round_now] == me);
    owner[round_now] = 0;
}

int main(void) {
    int guessed = __VERIFIER_nondet_int();
    unsigned char held = __VERIFIER_nondet_uchar();
    counter[1] = guessed;
    owner[1] = held;
    writer(1);
    writer(2);
    __VERIFIER_assume(counter[0] == guessed && owner[0] == held);
    if (counter[1] != 4)
        reach_error();
    return 0;
}
