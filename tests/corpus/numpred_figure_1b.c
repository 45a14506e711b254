// plumb: truth=true na=true pa=true mtndd=true cpa-na=true cpa-nex=true numpred=true
// Two ways to small numbers whose sum stays small: a matter of arithmetic alone.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int(), x1, x2;
    if (3 <= y1 && y1 <= 4) {
        x1 = y1 - 2;
        x2 = y1 + 2;
    } else if (3 <= y2 && y2 <= 4) {
        x1 = y2 - 2;
        x2 = y2 + 2;
    } else {
        return 0;
    }
    if (!(5 <= x1 + x2 && x1 + x2 <= 10)) reach_error();
    return 0;
}
