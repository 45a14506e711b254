// plumb: truth=true summaries=true
// A recursion whose effect is in global variables: one is counted, one is kept, one is written through a pointer.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int calls, kept = 7, seen;

void visit(int n, int *last) {
  if (n <= 0) return;
  calls++;
  *last = 1;
  visit(n - 1, last);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  visit(n, &seen);
  if (calls != n) reach_error();
  if (kept != 7) reach_error();
  return 0;
}
