// plumb: truth=false backward=unknown
// One step too far: the other side is entered.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int level = __VERIFIER_nondet_int();
    int side = level > 0 ? 1 : -1;
    while (__VERIFIER_nondet_int()) {
        if (side > 0) {
            if (level < 1000000) level++;
            else level = 0;
        } else {
            if (level > -1000000) level--;
        }
    }
    if (side > 0 && level <= 0) reach_error();
    return 0;
}
