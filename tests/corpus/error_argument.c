// plumb: truth=true default=true bmc=true
// The arguments of a call are evaluated before it, also of a call of the error.
extern void reach_error(int);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);

int checked(int n) {
  if (n != 3)
    abort();
  return n;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 4)
    reach_error(checked(n));
  return 0;
}
