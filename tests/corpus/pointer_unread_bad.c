// plumb: truth=false value-sep=false dagger=false bmc=false
// What the pointer from outside points to is written and never read: the path to the error does not depend on it, but goes through it.
extern void *__VERIFIER_nondet_pointer(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int *out = __VERIFIER_nondet_pointer();
    int state = 0;
    *out = 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 0) state = 3;
        else if (state == 3) state = 5;
        else if (state == 5) reach_error();
    }
    return 0;
}
