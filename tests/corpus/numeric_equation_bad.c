// plumb: truth=false ufo=false ufo-box=false ufo-oct=false ufo-poly=false
// The same sums, and a bound that four iterations violate.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, s = 0, t = 0;
  if (n < 0 || n > 100000) return 0;
  while (i < n) {
    if (__VERIFIER_nondet_int()) { s += 2; t += 1; } else { s += 1; t += 2; }
    i++;
  }
  if (s + t == 3 * n && s > t + 3) reach_error();
  return 0;
}
