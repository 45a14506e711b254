// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = 0;
    switch (__VERIFIER_nondet_int()) {
        int hidden;
    case 1:
        hidden = 5;
        n = hidden;
        break;
    default:
        n = 2;
    }
    if (n == 5)
        reach_error();
    return 0;
}
