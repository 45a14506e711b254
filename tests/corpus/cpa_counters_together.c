// plumb: truth=true interval=unknown octagon=true polyhedra=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int i = 0, j = 0;
    while (i < 1000000 && __VERIFIER_nondet_int()) {
        i++;
        j++;
    }
    if (i != j) reach_error();
    return 0;
}
