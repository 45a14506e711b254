/* A queue as a linked list; but elements are put in front, so what goes in first does not come out first. */
#include <stdlib.h>
extern void reach_error(void);

struct element {
    int mark;
    struct element *next;
};

int main(void) {
    struct element *list = 0;
    for (int i = 0; i < 3; i++) {
        struct element *e = malloc(sizeof *e);
        e->mark = i;
        e->next = list;
        list = e;
    }
    int expected = 0;
    while (list) {
        struct element *rest = list->next;
        if (list->mark != expected)
            reach_error();
        expected++;
        free(list);
        list = rest;
    }
    return 0;
}
