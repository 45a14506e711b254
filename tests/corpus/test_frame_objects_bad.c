// plumb: truth=false bmc=false
// Uninitialised objects that are made anew at each activation, of a size known only then, and by alloca.
extern void reach_error(void);

int f(int n) {
  int a[2];
  int *p = &a[n & 1];
  if (n == 0) return *p;
  return f(n - 1) + a[1];
}

int g(int n) {
  int b[n];
  int *c = __builtin_alloca(16);
  return b[n - 1] - c[1];
}

int main(void) {
  if (f(2) == 12345 && g(3) == 77) reach_error();
  return 0;
}
