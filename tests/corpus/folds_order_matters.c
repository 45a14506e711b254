// plumb: truth=false folds=unknown default=false
// A hash depends on the order of the cells.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned hash(const int *cell, int n) {
    unsigned h = 7;
    for (int i = 0; i < n; i++) h = 31 * h + (unsigned)cell[i];
    return h;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000) return 0;
    int cell[n];
    for (int i = 0; i < n; i++) cell[i] = __VERIFIER_nondet_int();
    unsigned before = hash(cell, n);
    int held = cell[0];
    cell[0] = cell[1];
    cell[1] = held;
    if (hash(cell, n) != before) reach_error();
    return 0;
}
