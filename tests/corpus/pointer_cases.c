// plumb: truth=true default=true nex=true ndd=true mtndd=true dagger=true ufo=true cp=true
// What a write through a pointer changes is told by cases: it is one of two counters.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y = 0, n = 0;
  int *p = __VERIFIER_nondet_int() ? &x : &y;
  while (__VERIFIER_nondet_int() && n < 1000) {
    *p = *p + 1;
    n++;
  }
  if (x + y != n) reach_error();
  return 0;
}
