// plumb: truth=true bmc=true kinduction=true default=true
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int() & 15;
    if (x == 16) {
    ERROR:
        goto ERROR;
    }
    return 0;
}
