// plumb: truth=true arrays=true dagger=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

// No element is less than the least.
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[n], least = 2147483647;
  for (int i = 0; i < n; i++)
    if (a[i] < least) least = a[i];
  for (int i = 0; i < n; i++)
    if (a[i] < least) reach_error();
  return 0;
}
