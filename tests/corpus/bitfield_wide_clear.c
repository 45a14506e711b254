// plumb: truth=true default=true bmc=true
// What is the same in the width of a field and in that of its type.
extern void reach_error(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
struct word { unsigned long long low : 40; unsigned long long high : 24; };

int main(void) {
  struct word w = { __VERIFIER_nondet_ulonglong(), 3 };
  unsigned long long copy = w.low;
  if (w.low > 0xffffffffffull >> 1 && copy < 5)
    reach_error();
  w.low += 7;
  w.low *= 2;
  if (w.low != ((copy + 7) * 2 & 0xffffffffffull) && w.high == 3)
    reach_error();
  if ((w.low & 1) != 0 || (unsigned long long)w.low << 24 >> 24 != w.low)
    reach_error();
  return 0;
}
