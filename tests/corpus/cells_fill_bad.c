// plumb: truth=false arrays=unknown bmc=false dagger=false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// The last cell is forgotten.
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int cells[n];
  for (int i = 0; i < n - 1; i++) cells[i] = 3 * i;
  for (int j = 0; j < n; j++)
    if (cells[j] != 3 * j) reach_error();
  return 0;
}
