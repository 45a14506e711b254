// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    check(x + 1 > x || x == 4294967295u);
    check((unsigned char)(x + 256) == (unsigned char)x);
    return 0;
}
