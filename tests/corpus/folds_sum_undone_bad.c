// plumb: truth=false bmc=false folds=unknown default=false
// A cell is changed between what is added and what is taken away.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 5 || n > 100000) return 0;
    int cell[n];
    long long balance = 0;
    for (int i = 0; i < n; i++) cell[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) balance += cell[i];
    cell[4] = 0;
    for (int i = 0; i < n; i++) balance -= cell[i];
    if (balance != 0) reach_error();
    return 0;
}
