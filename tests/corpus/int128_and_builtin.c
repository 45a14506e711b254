// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint() | 1;
    check(__builtin_ctz(x) == 0);
    unsigned long long big = 0xffffffffffffffffULL;
    check((unsigned)(big >> 40) == 0xffffffu);
    return 0;
}
