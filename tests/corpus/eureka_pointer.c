// plumb: truth=true eureka=true
// A recursion that writes a variable through a pointer: its cell in memory is an element that the abstraction keeps, and so part of the contract.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int calls, seen;

void visit(int n, int *last) {
  if (n <= 0) return;
  calls++;
  *last = 1;
  visit(n - 1, last);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  visit(n, &seen);
  if (n > 0 && seen != 1) reach_error();
  if (calls != n) reach_error();
  return 0;
}
