// plumb: truth=true arrays=true
// Each cell is three more than the one before it: none is less than its neighbour, however many there are.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int *cell = malloc(n * sizeof(int));
    cell[0] = 11;
    for (int i = 1; i < n; i++) cell[i] = cell[i - 1] + 3;
    for (int i = 1; i < n; i++)
        if (cell[i] < cell[i - 1]) reach_error();
    return 0;
}
