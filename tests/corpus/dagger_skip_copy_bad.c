// plumb: truth=false dagger=false dag-widen=false
// One is copied too many, which is too much only when all are.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int end = __VERIFIER_nondet_int(), from = __VERIFIER_nondet_int(), copied = 1;
    if (end < 0 || end > 60 || from < 0 || from > end)
        return 0;
    int i = from;
    while (i < end) {
        i++;
        copied++;
    }
    if (copied > 60)
        reach_error();
    return 0;
}
