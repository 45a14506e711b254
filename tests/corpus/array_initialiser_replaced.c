// plumb: truth=true default=true bmc=true kinduction=true
// An initialiser of a member that has one replaces it as a whole.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct point { int x, y; };
struct line { struct point from, to; int colour; };
static struct line fixed = { { 1, 2 }, { 3, 4 }, 5, .from = { .y = 7 } };

int main(void) {
  int n = __VERIFIER_nondet_int();
  struct line l = { { n, n }, { n, n }, n, .to = { .x = n } };
  int rows[2][2] = { { n, n }, { n, n }, [0] = { 6 } };
  if (fixed.from.x != 0 || fixed.from.y != 7 || fixed.to.y != 4 || fixed.colour != 5)
    reach_error();
  if (l.to.y != 0 || l.to.x != n || l.from.y != n || l.colour != n)
    reach_error();
  if (rows[0][0] != 6 || rows[0][1] != 0 || rows[1][1] != n)
    reach_error();
  return 0;
}
