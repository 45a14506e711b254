// plumb: truth=true heap=true predicate-heap=true interval=unknown
// The same list is built and dropped for ever, each time elsewhere.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    int data;
    struct node *next;
};

int main(void) {
    while (__VERIFIER_nondet_int()) {
        struct node *list = 0;
        for (int i = 1; i <= 3; i++) {
            struct node *n = malloc(sizeof(struct node));
            n->data = i;
            n->next = list;
            list = n;
        }
        int sum = 0;
        for (struct node *p = list; p; p = p->next) sum = sum + p->data;
        if (sum != 6) reach_error();
        while (list) {
            struct node *n = list->next;
            free(list);
            list = n;
        }
    }
    return 0;
}
