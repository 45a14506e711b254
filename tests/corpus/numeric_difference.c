// plumb: truth=true ufo=unknown ufo-cp=unknown ufo-bp=unknown ufo-box=unknown ufo-oct=true ufo-poly=true ufo-auto=true
// One counter follows another: the difference of the two matters, not their values.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, j = 0;
  if (n < 0 || n > 100000) return 0;
  while (i < n) {
    if (__VERIFIER_nondet_int()) j++;
    i++;
  }
  while (j > 0) { j--; i--; }
  if (i < 0) reach_error();
  return 0;
}
