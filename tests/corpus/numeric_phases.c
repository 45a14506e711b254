// plumb: truth=true ufo=unknown ufo-cp=unknown ufo-oct=true ufo-poly=true ufo-auto=true
// A loop with two phases, of which only the second keeps the two counters together.
extern void reach_error(void);
int main(void) {
  int x = 0, y = 300000;
  while (x < 700000) {
    if (x >= 300000) y++;
    x++;
  }
  if (x != y) reach_error();
  return 0;
}
