// plumb: truth=false bmc=false kinduction=unknown default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int classify(int x) {
    switch (x & 7) {
    case 0: return 0;
    case 3: return 1;
    default: return 2;
    }
}
int main(void) {
    check(classify(__VERIFIER_nondet_int()) != 1);
    return 0;
}
