// plumb: truth=false default=unknown
// A conversion that writes.
extern void reach_error(void);
extern int printf(const char *, ...);

int main(void) {
  int n = 0;
  printf("four%n\n", &n);
  if (n == 4)
    reach_error();
  return 0;
}
