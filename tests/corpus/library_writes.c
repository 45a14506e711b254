// plumb: truth=false bmc=unknown default=unknown
// fgets and time write through their arguments, which plumb does not model: no verdict may come of taking them for functions that only return something.
#include <stdio.h>
#include <time.h>
extern void reach_error(void);

int main(void) {
  char line[4] = "abc";
  time_t t = 0;
  if (time(&t) >= 0 && t != 0) reach_error();
  if (fgets(line, 4, stdin) && line[0] != 'a') reach_error();
  return 0;
}
