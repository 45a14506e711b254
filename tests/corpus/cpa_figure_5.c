// plumb: truth=true value=unknown value-sep=unknown predicate-edges=unknown predicate-value-direct=unknown predicate-value=true predicate-value-interval=true
// Figure 5 of Beyer, Gulwani and Schmidt, "Combining Model Checking and Data-Flow Analysis", with the division by zero as the error:
// constants need the value of y, which only predicates know.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int foo(int y) {
    int x = 1;
    int z = 1;
    if (y < 1) {
        return 0;
    }
    if (y > 1) {
        x = 5;
    } else {
        z = 5 * x * y;
    }
    if (x - z == 0) reach_error();
    return 10 / (x - z);
}

int main(void) {
    return foo(__VERIFIER_nondet_int());
}
