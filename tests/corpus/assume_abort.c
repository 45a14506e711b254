// plumb: truth=true bmc=true kinduction=unknown default=true
extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int cond) { if (!cond) abort(); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n >= 0 && n <= 100);
    int i = 0;
    while (i < n)
        i++;
    if (i > 100)
        reach_error();
    return 0;
}
