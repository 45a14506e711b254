// plumb: truth=false default=unknown test=none
// A node from outside may be its own successor.
extern void reach_error(void);
struct node { struct node *next; int value; };
extern struct node *first(void);

int main(void) {
  struct node *n = first();
  if (!n || !n->next)
    return 0;
  n->value = 3;
  n->next->value = 4;
  if (n->value == 4)
    reach_error();
  return 0;
}
