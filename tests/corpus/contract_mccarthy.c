// plumb: truth=true summaries=true default=true
// McCarthy's function: 91 up to 101, whatever the input.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int f(int n) {
  if (n > 100) return n - 10;
  return f(f(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int r = f(n);
  if (n <= 101 && r != 91) reach_error();
  if (n > 101 && r != n - 10) reach_error();
  return 0;
}
