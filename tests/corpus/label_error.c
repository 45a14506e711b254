// plumb: truth=false bmc=false kinduction=unknown default=false
int x;
extern int __VERIFIER_nondet_int(void);
int main(void) {
    x = __VERIFIER_nondet_int();
    if (x == 4711)
        goto ERROR;
    return 0;
ERROR:
    return 1;
}
