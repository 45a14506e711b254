// plumb: truth=false default=false bmc=false
// A constant that is used as an address twice is the same place.
extern void reach_error(void);

struct uart {
  unsigned control, status;
};
#define UART ((volatile struct uart *)0x40001000)

static void enable(void) { UART->control |= 1; }
static void disable(void) { UART->control &= ~1u; }
static int is_enabled(void) { return *(volatile unsigned char *)0x40001000 & 1; }

int main(void) {
  enable();
  int before = is_enabled();
  disable();
  if (before && !is_enabled())
    reach_error();
  return 0;
}
