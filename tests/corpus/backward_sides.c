// plumb: truth=true backward=true
// What holds at the loop is a disjunction, the negation of a convex set: found from the error, not from the entry.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int level = __VERIFIER_nondet_int();
    int side = level > 0 ? 1 : -1;
    while (__VERIFIER_nondet_int()) {
        if (side > 0) {
            if (level < 1000000) level++;
        } else {
            if (level > -1000000) level--;
        }
    }
    if (side > 0 && level <= 0) reach_error();
    return 0;
}
