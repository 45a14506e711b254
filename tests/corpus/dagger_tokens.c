// plumb: truth=true options=--integers=ideal dagger=true dag-widen=true
// Tokens of a protocol: idle, waiting, holding; one may hold at a time. The sum is conserved.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int idle = __VERIFIER_nondet_int(), waiting = 0, holding = 0, key = 1;
    if (idle < 2)
        return 0;
    int all = idle;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (idle >= 1) {
                idle--;
                waiting++;
            }
        } else if (__VERIFIER_nondet_int()) {
            if (waiting >= 1 && key >= 1) {
                waiting--;
                holding++;
                key--;
            }
        } else if (holding >= 1) {
            holding--;
            idle++;
            key++;
        }
    }
    if (holding > 1 || holding + key != 1 || idle + waiting + holding != all || waiting < 0)
        reach_error();
    return 0;
}
