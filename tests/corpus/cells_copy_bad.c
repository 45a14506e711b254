// plumb: truth=false arrays=unknown bmc=false dagger=false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 5
int from[SIZE], to[SIZE];

// The copy is shifted by one.
int main(void) {
  int i;
  for (i = 0; i < SIZE; i++) from[i] = __VERIFIER_nondet_int();
  for (i = 1; i < SIZE; i++) to[i] = from[i - 1];
  for (i = 0; i < SIZE; i++)
    if (from[i] != to[i]) reach_error();
  return 0;
}
