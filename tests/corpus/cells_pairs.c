// plumb: truth=true arrays=true dagger=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// Two cells a step; then each cell again, in place.
int main(void) {
  unsigned n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[2 * n];
  for (unsigned i = 0; i < n; i++) {
    a[2 * i] = 1;
    a[2 * i + 1] = 2;
  }
  for (unsigned i = 0; i < 2 * n; i++) a[i] = a[i] + 1;
  for (unsigned i = 0; i < 2 * n; i++)
    if (a[i] != 2 && a[i] != 3) reach_error();
  return 0;
}
