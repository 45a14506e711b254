// plumb: truth=true na=true pa=true nexpoint=true nex=true ndd=true cpa-na=unknown cpa-pa=true cpa-nexpoint=true cpa-nex=true cpa-mtndd=true cpa-ndd=true numpred=true
// What a selector chose it finds again: predicates tell the cases apart that one element for both loses.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int i = __VERIFIER_nondet_int(), a1 = 0, a2 = 0;
    if (i != 1 && i != 2) return 0;
    switch (i) {
    case 1: a1 = 3; break;
    case 2: a2 = -4; break;
    }
    switch (i) {
    case 1: if (!(a1 > 0)) reach_error(); break;
    case 2: if (!(a2 < 0)) reach_error(); break;
    default: reach_error();
    }
    return 0;
}
