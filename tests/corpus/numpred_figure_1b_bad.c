// plumb: truth=false na=false nex=false ndd=false cpa-na=false cpa-ndd=false numpred=false
// The second number of the first branch depends on what that branch does not bound.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int();
    int x1 = __VERIFIER_nondet_int(), x2 = __VERIFIER_nondet_int();
    if (3 <= y1 && y1 <= 4) {
        x1 = y1 - 2;
        x2 = y2 + 2;
    } else if (3 <= y2 && y2 <= 4) {
        x1 = y2 - 2;
        x2 = y2 + 2;
    }
    if (!(5 <= x1 + x2 && x1 + x2 <= 10)) reach_error();
    return 0;
}
