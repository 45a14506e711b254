// plumb: truth=false options=--integers=ideal dagger=false
// The key is not asked for: two may hold at a time.
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
            if (waiting >= 1) {
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
