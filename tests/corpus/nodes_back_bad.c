// plumb: truth=false nodes=unknown default=false
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* A list with pointers back: what comes next leads back here, but for one mistake. */
struct link {
    struct link *next, *before;
};

int main(void) {
    struct link *head = malloc(sizeof *head), *end = head;
    head->next = 0;
    head->before = 0;
    while (__VERIFIER_nondet_int()) {
        struct link *l = malloc(sizeof *l);
        l->next = 0;
        l->before = __VERIFIER_nondet_int() == 12 ? head : end;
        end->next = l;
        end = l;
    }
    for (struct link *l = head; l->next != 0; l = l->next)
        if (l->next->before != l)
            reach_error();
    return 0;
}
