// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = (x++, x > 0) ? 1 : 0;
    int z = x ?: 7;
    check(z != 0 && (y == 0 || y == 1));
    check(!(x > 0) || y == 1);
    return 0;
}
