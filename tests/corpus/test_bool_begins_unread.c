// plumb: truth=false bmc=false kinduction=false default=false
/* The block of the loop can be entered at `again`, past the initialisation of `go`, so `go` begins with the function; nothing reads that value here. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int tries = 0;
    if (x == 41)
        reach_error();
    while (x > 0) {
        _Bool go = __VERIFIER_nondet_bool();
        if (go) {
        again:
            x = x - 1;
            tries++;
        }
        if (tries > 3)
            return 0;
        if (x > 5)
            goto again;
    }
    return 0;
}
