// plumb: truth=true default=unknown
// A function that the linker knows by the name of another one.
extern void reach_error(void);

int first(void) __asm__("second");

int second(void) {
  return 1;
}

int main(void) {
  if (first() != 1)
    reach_error();
  return 0;
}
