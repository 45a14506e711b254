// plumb: truth=true bmc=true kinduction=true default=true
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 10);
    __VERIFIER_assume(x < 11);
    __VERIFIER_error();
    return 0;
}
