// plumb: truth=true default=true bmc=true
// Registers whose addresses are computed keep what is written to them.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned read_register(unsigned base, unsigned number) { return *(volatile unsigned *)(base + 4 * number); }
static void write_register(unsigned base, unsigned number, unsigned value) { *(volatile unsigned *)(base + 4 * number) = value; }

int main(void) {
  unsigned value = __VERIFIER_nondet_uint();
  write_register(0x40001000, 2, value);
  write_register(0x40001000, 3, ~value);
  if (read_register(0x40001000, 2) != value)
    reach_error();
  return 0;
}
