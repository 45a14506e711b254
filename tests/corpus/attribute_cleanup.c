// plumb: truth=false default=unknown
// The end of a variable calls a function.
extern void reach_error(void);

static int closed;

static void close(int *handle) {
  closed += *handle;
}

static void use(void) {
  int handle __attribute__((cleanup(close))) = 3;
  handle++;
}

int main(void) {
  use();
  if (closed == 4)
    reach_error();
  return 0;
}
