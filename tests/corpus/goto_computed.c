// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    void *targets[] = {&&zero, &&one};
    int r = -1;
    goto *targets[__VERIFIER_nondet_int() != 0];
zero:
    r = 0;
    goto done;
one:
    r = 1;
done:
    check(r >= 0);
    return 0;
}
