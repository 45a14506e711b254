// plumb: truth=false options=--integers=ideal dagger=false
// The test of the second child is off by one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int size = __VERIFIER_nondet_int(), node = 1, child = 2;
    if (size < 4)
        return 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (child + 1 > size)
                return 0;
            node = child + 1;
            child = 2 * node;
        } else if (__VERIFIER_nondet_int()) {
            if (child > size + 1)
                return 0;
            node = child;
            child = 2 * child;
        } else {
            size--;
            if (size < 4)
                return 0;
            node = 1;
            child = 2;
        }
    }
    if (node > size || child != 2 * node || child > 2 * size)
        reach_error();
    return 0;
}
