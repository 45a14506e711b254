// plumb: truth=true summaries=true
// Two functions that call each other: each relies on the other's contract.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  int e = even(n);
  if (e != 0 && e != 1) reach_error();
  if (n == 1 && e) reach_error();
  return 0;
}
