// plumb: truth=true bmc=true kinduction=unknown default=true
extern void *malloc(unsigned int);
extern void free(void *);
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    int sum = 0, count = 0;
    while (head) {
        struct node *n = head;
        head = head->next;
        sum = 10 * sum + n->value;
        count++;
        free(n);
    }
    check(sum == 210 && count == 3);
    return 0;
}
