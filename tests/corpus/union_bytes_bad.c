// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void check(int ok) { if (!ok) reach_error(); }

union word { unsigned int w; signed char b[4]; };
int main(void) {
    union word u;
    u.w = __VERIFIER_nondet_uint();
    check(u.b[2] >= 0);
    return 0;
}
