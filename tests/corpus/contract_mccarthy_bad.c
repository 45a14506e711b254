// plumb: truth=false summaries=unknown default=false
// The same with a wrong constant in the claim: 102 gives 92.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int f(int n) {
  if (n > 100) return n - 10;
  return f(f(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 80 && n <= 102 && f(n) != 91) reach_error();
  return 0;
}
