// plumb: truth=false default=false bmc=false
// Another name of the error function.
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
void failed(void) __attribute__((alias("reach_error")));

int main(void) {
  if (__VERIFIER_nondet_int() == 3)
    failed();
  return 0;
}
