// plumb: truth=false nodes=unknown default=false
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* A ring with pointers back: from the second link on one does not come back. */
struct link {
    struct link *next, *before;
    int on;
};

int main(void) {
    struct link *head = malloc(sizeof *head);
    head->next = head;
    head->before = head;
    head->on = 1;
    while (__VERIFIER_nondet_int()) {
        struct link *l = malloc(sizeof *l);
        l->on = 1;
        l->before = head;
        l->next = head->next;
        head->next->before = head;
        head->next = l;
    }
    struct link *l = head;
    do {
        if (l->next->before != l || !l->on)
            reach_error();
        l = l->next;
    } while (l != head);
    return 0;
}
