// plumb: truth=false default=unknown bmc=unknown test=none
// lround of what no integer can be has some result; it does not end the program.
extern void reach_error(void);
extern long lround(double);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  lround(x);
  if (x > 1e30)
    reach_error();
  return 0;
}
