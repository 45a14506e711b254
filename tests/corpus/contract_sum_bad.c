// plumb: truth=false summaries=unknown default=false
// An accumulator that is forgotten when the count is odd.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

unsigned count(unsigned n, unsigned acc) { return n == 0 ? acc : n == 1 ? 3 : count(n - 1, acc + 3); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
  if (n < 5 && k > 0 && k < 5 && count(n, k) != 3 * n + k) reach_error();
  return 0;
}
