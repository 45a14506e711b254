// plumb: truth=true value=unknown value-sep=true interval=unknown value-interval=unknown octagon=true predicate=true predicate-edges=true default=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int foo(int y) {
    int x = 0;
    int z = 0;
    if (y == 1) {
        x = 1;
    } else {
        z = 1;
    }
    if (x - z == 0) reach_error();
    return 10 / (x - z);
}

int main(void) { return foo(__VERIFIER_nondet_int()); }
