// plumb: truth=false arrays=unknown bmc=false dagger=false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// The search starts behind the first element.
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 1000000) return 0;
  int a[n], least = 2147483647;
  for (int i = 1; i < n; i++)
    if (a[i] < least) least = a[i];
  for (int i = 0; i < n; i++)
    if (a[i] < least) reach_error();
  return 0;
}
