// plumb: truth=true default=true bmc=true
// The only thread ends here.
extern void reach_error(void);
extern void pthread_exit(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  if (__VERIFIER_nondet_int())
    pthread_exit(0);
  else
    return 0;
  reach_error();
  return 0;
}
