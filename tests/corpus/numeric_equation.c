// plumb: truth=true ufo=unknown ufo-cp=unknown ufo-bp=unknown ufo-oct=unknown ufo-poly=true ufo-auto=true
// An equation of four variables: a polyhedron.
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
  if (s + t != 3 * n) reach_error();
  return 0;
}
