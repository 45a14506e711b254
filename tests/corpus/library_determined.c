// plumb: truth=true default=unknown
// What strtol makes of a string is determined by it; an execution with another result is none.
extern void reach_error(void);
extern long strtol(const char *, char **, int);
extern int ffs(int);

int main(void) {
  if (strtol("12", 0, 10) != 12)
    reach_error();
  if (ffs(8) != 4)
    reach_error();
  return 0;
}
