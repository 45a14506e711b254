// plumb: truth=false bmc=unknown
// The library is known by its names where no header declares it.
extern void reach_error(void);

double modf(double x, double *whole);
long strtol(const char *text, char **end, int base);

int main(void) {
  double whole = 7;
  modf(2.5, &whole);
  if (whole == 2) reach_error();
  return 0;
}
