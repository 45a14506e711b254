// plumb: truth=false bmc=false kinduction=false default=false
// A block with a label can be entered past the declaration: the test must set the value that the declaration leaves.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void unused(void);
void (*table[1])(void) = {&unused};

#line 100
int main(void)
{
    int state;
    int other;
    if (__VERIFIER_nondet_int() == 5)
        goto end;
    while (state != 3) {
        if (state == 12 && other == 7)
            reach_error();
        state = state == 10 ? 12 : 3;
    }
end:
    return 0;
}
