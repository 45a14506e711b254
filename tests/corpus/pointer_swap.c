// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int old_x = x, old_y = y;
    swap(&x, &y);
    check(x == old_y && y == old_x);
    return 0;
}
