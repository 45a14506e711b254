// plumb: truth=false default=false
// A lock by compare-and-exchange: what is expected is overwritten when the exchange fails, and is then no longer zero.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int lock;

static int acquire(int owner) {
  int expected = 0;
  if (__atomic_compare_exchange_n(&lock, &expected, owner, 0, 5, 5))
    return 0;
  return expected;
}

int main(void) {
  int first = __VERIFIER_nondet_int();
  if (first <= 0)
    return 0;
  if (acquire(first) != 0)
    return 0;
  if (acquire(2) == 41)
    reach_error();
  return 0;
}
