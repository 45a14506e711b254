// plumb: truth=true bmc=unknown kinduction=true default=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

/* The limit is infinite from the first multiplication on, which its invariant says. */
int main(void) {
    float limit = 3e38f;
    limit = limit * 10.0f;
    while (__VERIFIER_nondet_int()) {
        if (!(limit > 3e38f)) reach_error();
        limit = limit * 2.0f;
    }
    return 0;
}
