// plumb: truth=false options=--integers=ideal dagger=false tree-widen=false
// The slower way is too slow.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int way = 0, time = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            way += 3;
            time += 1;
        } else if (way >= 9) {
            way += 2;
            time += 3;
        }
    }
    if (4 * time > 3 * way || way > 3 * time)
        reach_error();
    return 0;
}
