// plumb: truth=true kinduction=true
// What a pointer from outside points to is unknown, but it is there, and it is none of the program's own objects.
#include <stdlib.h>
extern void *__VERIFIER_nondet_pointer(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct packet {
    int length;
    int kind;
    struct packet *next;
};

int main(void) {
    struct packet *own = malloc(sizeof(struct packet));
    own->kind = 7;
    while (__VERIFIER_nondet_int()) {
        struct packet *given = __VERIFIER_nondet_pointer();
        if (!given) continue;
        given->length = 40;
        given->kind = given->length / 4;
        if (given->kind != 10 || own->kind != 7) reach_error();
    }
    return 0;
}
