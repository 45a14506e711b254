// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[3] = {0, 0, 0};
    int i = __VERIFIER_nondet_int();
    a[i] = 1;
    if (i < 0 || i > 2)
        reach_error();
    return 0;
}
