// plumb: truth=false bmc=false
// What scanf stores is an input; the test stores it again.
#include <stdio.h>
extern void reach_error(void);

int main(void) {
  int x;
  unsigned char c;
  double d;
  int n = scanf("%d %c %lf", &x, &c, &d);
  if (n == 3 && x == 42 && c == 'q' && d > 1.5 && d < 2)
    if (scanf("%d", &x) == 1 && x == 7) reach_error();
  return 0;
}
