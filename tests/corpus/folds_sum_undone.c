// plumb: truth=true folds=true default=true
// What two loops add up over the cells a third one takes away: whatever the cells are, for any number of them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int cell[n];
    long long balance = 0;
    for (int i = 0; i < n; i++) cell[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) balance += cell[i];
    for (int i = 0; i < n; i++) balance += cell[i];
    for (int i = 0; i < n; i++) balance -= 2LL * cell[i];
    if (balance != 0) reach_error();
    return 0;
}
