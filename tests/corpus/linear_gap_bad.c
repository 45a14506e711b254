// plumb: truth=false linear=false
// As in linear_gap.c, but the recursion stops a step late where the first argument is seven.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int gap(int lo, int hi) {
  if (lo >= hi && lo != 7) return 0;
  return 1 + gap(lo + 1, hi);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 6) return 0;
  if (gap(5, n + 5) != n) reach_error();
  return 0;
}
