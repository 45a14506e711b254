// plumb: truth=false bmc=false
// The outputs of asm are inputs; the test assigns them.
extern void reach_error(void);

int main(void) {
  int x, y, s = 0;
  for (int i = 0; i < 2; i++) {
    if (s >= 0)
      __asm__ volatile("" : "=r"(x), [two] "=r"(y));
    else
      s = 1;
    s += x * (y + 1);
  }
  if (s == 35 && x == 7) reach_error();
  return 0;
}
