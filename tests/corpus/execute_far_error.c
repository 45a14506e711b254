// plumb: truth=false execute=false
// The error is behind thirty thousand iterations: far for unwinding, near for an execution.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int cells[30000];

int main(void) {
    int sum = 0;
    for (int i = 0; i < 30000; i++) {
        cells[i] = (i % 100 == 0 ? __VERIFIER_nondet_int() : i) & 7;
    }
    for (int i = 0; i < 30000; i++) {
        if (i != 29999) sum += cells[i];
    }
    if (sum + cells[29999] <= 7 * 30000) reach_error();
    return 0;
}
