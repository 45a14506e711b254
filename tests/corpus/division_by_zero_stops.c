// plumb: truth=true bmc=true kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true cp=true bp=true default=true
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = 100 / x;
    if (x == 0)
        reach_error();
    return y == 200;
}
