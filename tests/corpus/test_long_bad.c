// plumb: truth=false bmc=false
// An execution of millions of steps: its test needs the inputs only, wherever they were taken.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y;
  int f = fib(24);
  if (x == 17 && y == 4 && f == 46368) reach_error();
  return 0;
}
