// plumb: truth=false default=unknown test=none
// A weak variable that nobody defines is nowhere: its address is null, and the error is reached, if the linker finds none.
extern void reach_error(void);
extern int option __attribute__((weak));

int main(void) {
  if (!&option)
    reach_error();
  return 0;
}
