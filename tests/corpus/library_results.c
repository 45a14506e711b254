// plumb: truth=true default=true bmc=true
// Results of library functions are in the ranges that their standards say.
extern void reach_error(void);
extern double drand48(void);
extern int getpid(void);
extern long time(long *);

int main(void) {
  double x = drand48();
  if (x < 0 || x >= 1 || getpid() <= 0 || time(0) < -1)
    reach_error();
  return 0;
}
