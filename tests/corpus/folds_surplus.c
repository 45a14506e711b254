// plumb: truth=true folds=true default=true
// Even cells are counted up and odd ones down; moving all by one changes nothing.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int surplus(const int *cell, int n) {
    int even = 0;
    for (int i = 0; i < n; i++) {
        if (cell[i] % 2 == 0)
            even++;
        else
            even--;
    }
    return even;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000000) return 0;
    int cell[n];
    for (int i = 0; i < n; i++) cell[i] = __VERIFIER_nondet_int();
    int before = surplus(cell, n);
    int held = cell[0];
    for (int i = 0; i < n - 1; i++) cell[i] = cell[i + 1];
    cell[n - 1] = held;
    if (surplus(cell, n) != before) reach_error();
    return 0;
}
