// plumb: truth=false bmc=false kinduction=false default=false
extern void *malloc(unsigned int);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void check(int ok) { if (!ok) reach_error(); }

struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    int length = 0;
    while (__VERIFIER_nondet_int() && length < 4) {
        struct node *n = malloc(sizeof *n);
        n->value = length++;
        n->next = head;
        head = n;
    }
    check(!head || !head->next || head->next->value != 1);
    return 0;
}
