// plumb: truth=true bmc=true kinduction=true default=true
// Only functions whose address flows to the pointer are called through it: `worse` fits the type, but nobody stores it in `handler`.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct device {
  int (*handler)(int);
};
static int (*spare)(int);

static int good(int x) { return x & 7; }
static int better(int x) { return x & 3; }
static int worse(int x) {
  reach_error();
  return x;
}

int main(void) {
  struct device d;
  spare = worse;
  d.handler = __VERIFIER_nondet_int() ? good : better;
  for (int i = 0; i < 3; i++)
    if (d.handler(__VERIFIER_nondet_int()) > 7) reach_error();
  return spare == 0;
}
