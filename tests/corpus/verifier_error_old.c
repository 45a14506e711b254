// plumb: truth=false bmc=false kinduction=unknown default=false
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 10 && x < 12);
    if (x == 11)
        __VERIFIER_error();
    return 0;
}
