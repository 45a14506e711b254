// plumb: truth=true bmc=true kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true cp=true bp=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int main(void) {
    int (*table[2])(int, int) = {add, sub};
    int i = __VERIFIER_nondet_int() != 0;
    int r = table[i](7, 3);
    check(r == 10 || r == 4);
    check(table[0] != table[1]);
    return 0;
}
