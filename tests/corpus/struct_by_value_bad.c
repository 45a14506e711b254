// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

struct pair { int a, b; };
struct pair next(struct pair p) {
    p.a += p.b;
    return p;
}
int main(void) {
    struct pair p = {0, __VERIFIER_nondet_int()};
    p = next(next(p));
    check(p.a != 84);
    return 0;
}
