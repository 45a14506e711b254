// plumb: truth=true arrays=true dagger=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// Every cell of an array of any size.
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int cells[n];
  for (int i = 0; i < n; i++) cells[i] = 3 * i;
  for (int j = n - 1; j >= 0; j--)
    if (cells[j] != 3 * j) reach_error();
  return 0;
}
