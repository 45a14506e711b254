// plumb: truth=true summaries=true
// Numbers that just fit: a table of the function is its contract.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int fib(int n) {
  if (n < 2) return n < 0 ? 0 : n;
  return fib(n - 1) + fib(n - 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > -1000 && n <= 40 && fib(n) < n - 1) reach_error();
  return 0;
}
