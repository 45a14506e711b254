// plumb: truth=true bmc=true kinduction=unknown default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int odd(unsigned n);
int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void) {
    check(even(6) && !odd(6));
    return 0;
}
