// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

struct bits { int flag : 1; unsigned rest : 7; };
int main(void) {
    struct bits s;
    s.flag = __VERIFIER_nondet_int() != 0;
    s.rest = 0;
    check(s.flag >= 0);
    return 0;
}
