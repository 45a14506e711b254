// plumb: truth=false default=unknown
// Nobody defines the function: its address is null where the linker finds no other definition.
extern void reach_error(void);
extern void optional(void) __attribute__((weak));

int main(void) {
  if (!optional)
    reach_error();
  return 0;
}
