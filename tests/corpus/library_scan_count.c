// plumb: truth=true default=true bmc=true
// No more values are read than the format asks for.
extern void reach_error(void);
extern int scanf(const char *, ...);

int main(void) {
  int a, b;
  int n = scanf("%d %*d %d", &a, &b);
  if (n > 2 || n < -1)
    reach_error();
  return 0;
}
