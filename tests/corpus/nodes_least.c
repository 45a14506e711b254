// plumb: truth=true nodes=true default=true
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* Nothing in the list is less than the least of what was put in. */
struct number {
    struct number *rest;
    int value;
};

int main(void) {
    struct number *first = malloc(sizeof *first), *last = first;
    int least = __VERIFIER_nondet_int();
    first->rest = 0;
    first->value = least;
    while (__VERIFIER_nondet_int()) {
        struct number *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        if (n->value < least)
            least = n->value;
        n->rest = 0;
        last->rest = n;
        last = n;
    }
    for (; first != 0; first = first->rest)
        if (first->value < least)
            reach_error();
    return 0;
}
