// plumb: truth=true bmc=true default=true
// Library functions that only read, and those given null pointers, return any value; so do missing parts of the program.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern void reach_error(void);

extern int compute(int *where);

int main(void) {
  int x = 3;
  long t = time(0) + strtol("12", 0, 10) + atoi("7");
  FILE *f = fopen("data", "r");
  if (f && fgetc(f) == 'x') fclose(f);
  compute(&x);
  if (x != 3 && t != 0) reach_error();
  return 0;
}
