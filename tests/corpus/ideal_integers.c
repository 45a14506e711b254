// plumb: truth=true options=--integers=ideal bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0;
    if (x > 2000000000)
        check(x + x > x);
    while (y < 10)
        y++;
    check(y == 10);
    return 0;
}
