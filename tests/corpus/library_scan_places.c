// plumb: truth=false default=unknown bmc=unknown test=none
// Not every conversion stores one scalar that is any value.
extern void reach_error(void);
extern int scanf(const char *, ...);

int main(void) {
  char c[2] = {1, 1};
  int a, read = 1;
  if (scanf("%2c", c) == 1 && c[1] == 2)
    reach_error();
  if (scanf("%d%n", &a, &read) == 1 && read > 1)
    reach_error();
  return 0;
}
