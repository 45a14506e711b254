// plumb: truth=false summaries=unknown default=false
// The bound fails for 3, where the number is 2.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int fib(int n) {
  if (n < 2) return n < 0 ? 0 : n;
  return fib(n - 1) + fib(n - 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 0 && n <= 40 && fib(n) < n) reach_error();
  return 0;
}
