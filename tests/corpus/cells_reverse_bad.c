// plumb: truth=false arrays=unknown bmc=false dagger=false
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 4
int a[SIZE], b[SIZE];

// It is reversed, not copied.
int main(void) {
  for (int i = 0; i < SIZE; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < SIZE; i++) b[SIZE - 1 - i] = a[i];
  for (int i = 0; i < SIZE; i++)
    if (a[i] != b[i]) reach_error();
  return 0;
}
