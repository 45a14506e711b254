// plumb: truth=true nex=true ndd=true cpa-na=unknown cpa-nex=true cpa-mtndd=true cpa-ndd=true numpred=true
// A number is written through a pointer that may point to one of three: what the others hold depends on where it points.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = 0, y = 0, z = 0, n = 0, *p = &z;
    if (__VERIFIER_nondet_int()) p = &x;
    else if (__VERIFIER_nondet_int()) p = &y;
    while (__VERIFIER_nondet_int()) {
        if (p == &y && n < 5) {
            n++;
            *p = n;
        }
    }
    if (x != 0 || y < 0 || y > 5) reach_error();
    return 0;
}
