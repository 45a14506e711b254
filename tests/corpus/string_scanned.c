// plumb: truth=true default=unknown
// What is read from a string is determined by it; an execution that reads something else is none.
extern void reach_error(void);
extern int sscanf(const char *, const char *, ...);

int main(void) {
  int n = 0;
  sscanf("12", "%d", &n);
  if (n != 12)
    reach_error();
  return 0;
}
