// plumb: truth=true nodes=true default=true
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* A list is as long as it was made. */
struct bead {
    struct bead *next;
};

int main(void) {
    int made = 0, met = 0;
    struct bead *string = 0;
    while (made < 1000 && __VERIFIER_nondet_int()) {
        struct bead *b = malloc(sizeof *b);
        b->next = string;
        string = b;
        made++;
    }
    for (; string != 0; string = string->next)
        met++;
    if (met != made)
        reach_error();
    return 0;
}
