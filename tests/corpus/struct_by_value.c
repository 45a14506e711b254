// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

struct pair { int a, b; };
struct pair flip(struct pair p) {
    struct pair r = {p.b, p.a};
    p.a = 0;
    return r;
}
int main(void) {
    struct pair p = {1, 2};
    struct pair q = flip(flip(flip(p)));
    check(q.a == 2 && q.b == 1 && p.a == 1);
    return 0;
}
