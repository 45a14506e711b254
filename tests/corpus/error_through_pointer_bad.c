// plumb: truth=false default=false bmc=false
// The error is a function like others: calls through pointers, tables and arguments reach it.
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
  for (int i = 0; i < 3; i++)
    handlers.warn(__VERIFIER_nondet_int() & 1);
  if (warnings == 3)
    run(handlers.panic);
  return 0;
}
