// plumb: truth=true ufo-box=true ufo-oct=true ufo-poly=true
// A comparison of a remainder is the invariant.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 1, y = 10;
  while (__VERIFIER_nondet_int()) {
    if (x < 100000000) x += 2;
    y -= 2;
  }
  if (x % 2 != 1 || y % 2 != 0) reach_error();
  return 0;
}
