// plumb: truth=true ufo=unknown ufo-cp=unknown ufo-box=true ufo-oct=true ufo-poly=true ufo-auto=true
// Steps of four from a multiple of four on: the exact end needs residues in the second phase.
extern void reach_error(void);
int main(void) {
  unsigned int x = 0;
  while (x < 1000000) {
    if (x < 400000) x++;
    else x += 4;
  }
  if (x != 1000000) reach_error();
  return 0;
}
