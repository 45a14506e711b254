// plumb: truth=false default=unknown bmc=unknown test=none
// Of a negative number `signbit` is not zero; C does not say what it is.
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (__builtin_signbit(x) && x > 0)
    return 0;
  if (__builtin_signbit(x) != 1 && x < 0)
    reach_error();
  return 0;
}
