// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

struct inner { char c; long long l; };
struct outer { int id; struct inner in; int tail[2]; };
int main(void) {
    struct outer a, b;
    a.id = __VERIFIER_nondet_int();
    a.in.c = 'x';
    a.in.l = -5;
    a.tail[0] = 1;
    a.tail[1] = 2;
    b = a;
    a.id++;
    a.in.l = 0;
    check(b.in.l == -5 && b.in.c == 'x' && b.tail[1] == 2);
    check(b.id != a.id);
    return 0;
}
