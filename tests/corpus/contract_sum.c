// plumb: truth=true summaries=true
// A contract with an accumulator, modulo 2^32, and one with a product.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

unsigned count(unsigned n, unsigned acc) { return n == 0 ? acc : count(n - 1, acc + 3); }

unsigned times(unsigned n, unsigned k) { return k == 0 ? 0 : n + times(n, k - 1); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), k = __VERIFIER_nondet_uint();
  if (count(n, k) != 3 * n + k) reach_error();
  if (n < 1000 && k < 1000 && times(n, k) != times(k, n)) reach_error();
  return 0;
}
