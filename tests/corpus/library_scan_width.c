// plumb: truth=true default=unknown bmc=unknown
// A width bounds what is read; plumb does not compute by how much.
extern void reach_error(void);
extern int scanf(const char *, ...);

int main(void) {
  int digit = 0;
  scanf("%1d", &digit);
  if (digit > 9)
    reach_error();
  return 0;
}
