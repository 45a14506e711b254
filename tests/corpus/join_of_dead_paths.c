// plumb: truth=true bmc=true kinduction=true horn=true default=true
// Two infeasible ways to the error meet there: their union must stay infeasible.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int p = __VERIFIER_nondet_int(), q = __VERIFIER_nondet_int();
    int a = 0, b = 0;
    if (p != 0)
        a = 1;
    if (q != 0)
        b = 1;
    if (p != 0 && a != 1)
        goto error;
    if (q != 0 && b != 1)
        goto error;
    return 0;
error:
    reach_error();
    return 0;
}
