// plumb: truth=true dagger=true
// An index is taken along by a copy; where the copy starts does not matter.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int end = __VERIFIER_nondet_int(), from = __VERIFIER_nondet_int(), copied = 0;
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
