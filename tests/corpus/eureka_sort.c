// plumb: truth=true eureka=true
// Insertion sort: every element matters, and the indices have to be told apart.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[5], i, j, x;
  for (i = 0; i < 5; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 1; i < 5; i++) {
    x = a[i];
    for (j = i; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
    a[j] = x;
  }
  for (i = 0; i < 4; i++)
    if (a[i] > a[i + 1]) reach_error();
  return 0;
}
