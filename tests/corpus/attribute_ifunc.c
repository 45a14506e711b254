// plumb: truth=false default=unknown test=none
// A resolver chooses the function when the program is loaded.
extern void reach_error(void);

static int fails(void) {
  reach_error();
  return 1;
}

static int (*choose(void))(void) { return fails; }
int work(void) __attribute__((ifunc("choose")));

int main(void) { return work(); }
