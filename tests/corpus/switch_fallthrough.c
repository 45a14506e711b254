// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0;
    switch (x) {
    case 1:
        y += 1;
    case 2:
        y += 2;
        break;
    case 5 ... 7:
        y = 10;
        break;
    default:
        y = -1;
    }
    check(y == 3 || y == 2 || y == 10 || y == -1);
    check(x != 1 || y == 3);
    return 0;
}
