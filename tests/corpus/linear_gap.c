// plumb: truth=true linear=true
// A recursion with two arguments and a loop: the summary relates the result to both, the loop's invariant relates it to the number of calls.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int gap(int lo, int hi) {
  if (lo >= hi) return 0;
  return 1 + gap(lo + 1, hi);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000) return 0;
  int sum = 0, i = 0;
  while (i < 50) {
    sum = sum + gap(i, n + i);
    i = i + 1;
  }
  if (sum < 0 || gap(5, n + 5) != n) reach_error();
  return 0;
}
