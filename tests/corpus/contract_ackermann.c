// plumb: truth=true summaries=true
// Ackermann's function for small numbers: formulas for the first rows, a table for the last.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int ack(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ack(m - 1, 1);
  return ack(m - 1, ack(m, n - 1));
}

int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < 0 || m > 3 || n < 0 || n > 20) return 0;
  if (ack(m, n) <= n) reach_error();
  return 0;
}
