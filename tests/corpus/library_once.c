// plumb: truth=false default=unknown
// A function of the library that calls the program back, declared by hand.
extern void reach_error(void);
extern int pthread_once(int *, void (*)(void));

static int once;
static void start(void) { reach_error(); }

int main(void) {
  pthread_once(&once, start);
  return 0;
}
