// plumb: truth=true default=true bmc=true kinduction=true
// The place of an assignment is found by a call of the function whose result is assigned: they are two results.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct pair { int first, second; };
struct pair table[4];

struct pair make(int x) {
  struct pair p = { x, x + 1 };
  return p;
}

struct pair *place_of(struct pair p) { return &table[p.first & 3]; }

int main(void) {
  int n = __VERIFIER_nondet_int() & 1;
  *place_of(make(n)) = make(2);
  if (table[n].first != 2 || table[n].second != 3)
    reach_error();
  return 0;
}
