// plumb: truth=true default=true bmc=true
// The error has its address in a table, but no call goes through it with three warnings out of two.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct handlers {
  void (*warn)(int);
  void (*panic)(void);
};

static int warnings;

static void count(int by) {
  warnings += by;
}

static const struct handlers handlers = { count, reach_error };

static void run(void (*handler)(void)) {
  handler();
}

int main(void) {
  for (int i = 0; i < 2; i++)
    handlers.warn(__VERIFIER_nondet_int() & 1);
  if (warnings == 3)
    run(handlers.panic);
  return 0;
}
