// plumb: truth=true default=true bmc=true kinduction=true
// Cells of floats, one of them reached by two names at once.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  double a = 1.0, b = 2.0, c = 4.0;
  double *p = __VERIFIER_nondet_int() ? &a : &b;
  double *q = __VERIFIER_nondet_int() ? &b : &c;
  *p = 8.0;
  *q = *p + *q;
  if (p == q && b != 16.0)
    reach_error();
  if (p == &a && q == &c && (a != 8.0 || b != 2.0 || c != 12.0))
    reach_error();
  return 0;
}
