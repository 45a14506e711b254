// plumb: truth=true options=--signed-overflow=assume bmc=true kinduction=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 0)
        check(x + 10 > 0);
    return 0;
}
