// plumb: truth=false bmc=false kinduction=false default=false
// A function with a label gives its variable a value at the entry and again at the declaration; a witness names the later one, for each call.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int calls;

void step(void)
{
    int found;
    {
    if (calls == 0)
        goto first;
    if (calls == 1 && found != 17)
        goto end;
    if (calls == 2 && found == 5)
        reach_error();
first:
    calls++;
    }
end:
    return;
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        step();
    return 0;
}
