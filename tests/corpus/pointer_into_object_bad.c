// plumb: truth=false test=none value-sep=false
// The pointer from outside can only point into memory that the program has allocated.
#include <stdlib.h>
extern void *__VERIFIER_nondet_pointer(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int *own = malloc(8 * sizeof(int));
    int *given = __VERIFIER_nondet_pointer();
    int *p = __VERIFIER_nondet_int() ? own : given;
    int state = 0;
    if (p != given) return 0;
    while (__VERIFIER_nondet_int()) {
        if (state == 0 && *p == 7) state = 3;
        else if (state == 3) reach_error();
    }
    return 0;
}
