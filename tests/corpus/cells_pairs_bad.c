// plumb: truth=false arrays=unknown bmc=false dagger=false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// The second cell of a pair is forgotten.
int main(void) {
  unsigned n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[2 * n];
  for (unsigned i = 0; i < n; i++) a[2 * i] = 1;
  for (unsigned i = 0; i < 2 * n; i++)
    if (a[i] != 1) reach_error();
  return 0;
}
