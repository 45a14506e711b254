// plumb: truth=true options=--integers=ideal dagger=true
// Indexes of a heap: the child of a node stays within twice the range.
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
            if (child > size)
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
