// plumb: truth=true arrays=true dagger=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 50000
int from[SIZE], to[SIZE];

// A copy of an array with any contents has the same contents.
int main(void) {
  int i;
  for (i = 0; i < SIZE; i++) from[i] = __VERIFIER_nondet_int();
  for (i = 0; i < SIZE; i++) to[i] = from[i];
  for (i = 0; i < SIZE; i++)
    if (from[i] != to[i]) reach_error();
  return 0;
}
