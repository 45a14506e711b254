// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    check(x + 1 > x);
    return 0;
}
