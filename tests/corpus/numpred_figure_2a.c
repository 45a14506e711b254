// plumb: truth=true na=true nex=true mtndd=true ndd=true cpa-na=unknown cpa-nex=true cpa-ndd=true numpred=true
// Whether a cell is 3 depends on an equation of indices, and what numbers become depends on the cell.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int A[200];

int main(void)
{
    int x1 = __VERIFIER_nondet_int(), x2 = x1;
    int y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int();
    for (int i = 0; i < 200; i++) A[i] = __VERIFIER_nondet_int();
    if (x1 < 0 || x1 > 90 || y1 < 2 || y1 > 90 || y2 < 0 || y2 > 90) return 0;
    if (A[y1 + y2] == 3) {
        x1 = y1 - 2;
        x2 = y2 + 2;
    } else {
        A[x1 + x2] = 5;
    }
    if (A[x1 + x2] == 3) {
        x1 = x1 + x2;
        x2 = x2 + y1 - 2;
    }
    if (x1 != x2) reach_error();
    return 0;
}
