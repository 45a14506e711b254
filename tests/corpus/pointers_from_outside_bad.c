// plumb: truth=false default=false bmc=false
// Two pointers from outside may be the same, and a node from outside may be its own successor.
extern void reach_error(void);
struct node { struct node *next; int value; };
extern struct node *first(void);
extern int *here(void);
extern int *there(void);

int main(void) {
  int *p = here(), *q = there();
  struct node *n = first();
  if (!p || !q || !n || !n->next)
    return 0;
  *p = 1;
  *q = 2;
  n->value = 3;
  n->next->value = 4;
  if (*p == 2 && n->value == 4)
    reach_error();
  return 0;
}
