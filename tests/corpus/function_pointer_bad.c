// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
int apply(int (*f)(int), int x) { return f(x); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    int (*f)(int) = x > 2 ? square : twice;
    check(apply(f, x) != 9);
    return 0;
}
