// plumb: truth=false arrays=unknown default=false
// As array_counted.c, but the total does come back to what it was.
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
    if (total == 5 && n == 6) reach_error();
    return 0;
}
