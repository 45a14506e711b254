// plumb: truth=false nodes=unknown default=false
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

/* A list of any length whose members are what they are made: some are changed later, which makes seven ten. */
struct item {
    int kind;
    struct item *next;
};

int main(void) {
    struct item *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct item *fresh = malloc(sizeof *fresh);
        fresh->kind = __VERIFIER_nondet_int() ? 4 : 7;
        fresh->next = list;
        list = fresh;
    }
    for (struct item *i = list; i != 0; i = i->next)
        if (__VERIFIER_nondet_int())
            i->kind = i->kind + 3;
    for (struct item *i = list; i != 0; i = i->next)
        if (i->kind != 4 && i->kind != 7)
            reach_error();
    return 0;
}
