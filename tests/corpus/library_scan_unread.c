// plumb: truth=true default=true bmc=true
// What is not read stays as it is.
extern void reach_error(void);
extern int scanf(const char *, ...);

int main(void) {
  int a = 1, b = 2;
  int n = scanf("%d %d", &a, &b);
  if (n < 2 && b != 2 || n < 1 && a != 1)
    reach_error();
  return 0;
}
