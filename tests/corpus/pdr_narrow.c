// plumb: truth=true pdr=unknown default=true
// A loop over memory has no bits: others prove it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int cells[64];

int main(void) {
  for (int i = 0; i < 64; i++)
    cells[i] = i & 3;
  int at = __VERIFIER_nondet_int() & 63;
  while (__VERIFIER_nondet_int())
    at = (at + cells[at]) & 63;
  if (cells[at] > 3)
    reach_error();
  return 0;
}
