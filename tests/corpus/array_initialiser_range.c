// plumb: truth=true default=true execute=true
// The initialiser of a range of elements is evaluated once.
extern void reach_error(void);
static int calls;
static int next(void) { return ++calls; }

int main(void) {
  int a[4] = {[0] = 9, [1 ... 3] = next()};
  struct { int x, y[2]; } s[3] = {[0 ... 1] = {next(), {next()}}, [2].x = 5};
  if (calls != 3 || a[0] != 9 || a[1] != 1 || a[3] != 1)
    reach_error();
  if (s[0].x != 2 || s[1].x != 2 || s[1].y[0] != 3 || s[1].y[1] != 0 || s[2].x != 5)
    reach_error();
  return 0;
}
