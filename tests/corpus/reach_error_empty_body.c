// plumb: truth=false bmc=false kinduction=unknown default=false
void reach_error(void) {}
extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 3)
        reach_error();
    return 0;
}
