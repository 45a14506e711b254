// plumb: truth=false execute=false
// The error depends on what a pointer from outside points to, and on what its memory holds.
#include <stdlib.h>
extern void *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);

struct packet {
    int length;
    int kind;
    struct packet *next;
};

int main(void) {
    struct packet *own = malloc(sizeof(struct packet));
    struct packet *given = __VERIFIER_nondet_pointer();
    own->kind = 7;
    if (!given) return 0;
    given->length = own->kind;
    // One level deeper: a pointer in memory that the program did not write.
    if (given->next && given->next->kind == given->length) reach_error();
    return 0;
}
