// plumb: truth=true ufo=unknown ufo-cp=true ufo-box=true ufo-oct=true ufo-poly=true
// Two counters that saturate: bounds suffice, and interpolants alone do not find them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    int d = x < 1000 ? 1 : 0, e = y > x ? 1 : 0;
    if (__VERIFIER_nondet_int()) { x = x + d; y = y + d - e; }
    else { y = d ? x : 1000 - e; }
  }
  if (x > 1000 || y > 1001) reach_error();
  return 0;
}
