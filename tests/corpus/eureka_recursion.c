// plumb: truth=true eureka=true
// A recursion that walks through an array up to a mark: one element and the argument suffice, and the function's contract speaks of both.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[50];

int find(int i) {
  if (a[i] == 9) return i;
  a[i] = 3;
  return find(i + 1);
}

int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k >= 50) return 0;
  a[k] = 1;
  a[20] = 9;
  int r = find(4);
  if (r > 20) reach_error();
  return 0;
}
