// plumb: truth=false summaries=unknown default=false
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : n == 6 ? 1 : even(n - 1); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && n < 12 && even(n) == n % 2) reach_error();
  return 0;
}
