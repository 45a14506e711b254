// plumb: truth=true arrays=true
// Each cell is two; what is added up over the cells in one loop is taken away in the next, for any number of them.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10000) return 0;
    int *cell = malloc(n * sizeof(int));
    int total = 5;
    for (int i = 0; i < n; i++) cell[i] = 2;
    for (int i = 0; i < n; i++) total = total + cell[i];
    if (total != 2 * n + 5) reach_error();
    for (int i = 0; i < n; i++) total = total - cell[i];
    if (total != 5) reach_error();
    return 0;
}
