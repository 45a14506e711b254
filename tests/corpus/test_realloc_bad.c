// plumb: truth=false bmc=false
// Blocks of a program with realloc are longer than the program knows; the contents must be where it sees them.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
  int *a = malloc(8);
  a[0] = 1;
  if (a[1] != 5) return 0;
  a = realloc(a, 16);
  if (a[3] == 12345 && a[1] == 5) reach_error();
  return 0;
}
