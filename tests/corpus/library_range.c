// plumb: truth=true default=true bmc=true
// What the standard says of results: no pseudo-random number is negative, a character is a byte or the end.
extern void reach_error(void);
extern int rand(void);
extern int getchar(void);

int main(void) {
  int c = getchar();
  if (rand() < 0 || c < -1 || c > 255)
    reach_error();
  return 0;
}
