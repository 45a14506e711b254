// plumb: truth=false dagger=false
// Closing a bracket gives back more room than it took.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int room = __VERIFIER_nondet_int(), at = 0, open = 0;
    if (room < 0 || room > 1000)
        return 0;
    int left = room;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (at < left) {
                at++;
                if (__VERIFIER_nondet_int() && at < left) {
                    left--;
                    open++;
                }
            }
        } else if (open > 0) {
            open--;
            left++;
            left++;
            if (at >= left)
                return 0;
            at++;
        }
        if (at > room || at < 0)
            reach_error();
    }
    if (left + open != room || at > left)
        reach_error();
    return 0;
}
