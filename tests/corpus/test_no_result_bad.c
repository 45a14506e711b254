// plumb: truth=false bmc=false
// A function that ends without a result leaves any; so does a bare return.
extern void reach_error(void);

int f(int x) {
  if (x == 1) return;
  if (x == 2) return 4;
}

int main(void) {
  if (f(1) == 3 && f(0) == 9 && f(2) == 4) reach_error();
  return 0;
}
