// plumb: truth=true folds=true default=true
// The greatest cell is the same after two cells are exchanged, and after all have moved by one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int greatest(const int *cell, int n) {
    int best = cell[0];
    for (int i = 1; i < n; i++)
        if (cell[i] > best) best = cell[i];
    return best;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000000) return 0;
    int cell[n];
    for (int i = 0; i < n; i++) cell[i] = __VERIFIER_nondet_int();
    int before = greatest(cell, n);
    int held = cell[0];
    cell[0] = cell[1];
    cell[1] = held;
    int between = greatest(cell, n);
    held = cell[0];
    for (int i = 0; i < n - 1; i++) cell[i] = cell[i + 1];
    cell[n - 1] = held;
    if (before != between || before != greatest(cell, n)) reach_error();
    return 0;
}
