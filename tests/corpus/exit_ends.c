// plumb: truth=true bmc=true kinduction=true default=true
extern void exit(int);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void stop_unless(int c) { if (!c) exit(1); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    stop_unless(x == 3);
    if (x != 3)
        reach_error();
    return 0;
}
