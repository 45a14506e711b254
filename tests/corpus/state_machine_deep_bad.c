// plumb: truth=false bmc=false kinduction=false default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0;
    while (1) {
        int in = __VERIFIER_nondet_int();
        switch (state) {
        case 0: state = in == 'p' ? 1 : 0; break;
        case 1: state = in == 'l' ? 2 : 0; break;
        case 2: state = in == 'u' ? 3 : 0; break;
        case 3: state = in == 'm' ? 4 : 0; break;
        case 4: state = in == 'b' ? 5 : 0; break;
        default: reach_error();
        }
    }
    return 0;
}
