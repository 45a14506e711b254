// plumb: truth=true arrays=true dagger=true
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 20000
int a[SIZE], b[SIZE];

// Two cells with different numbers.
int main(void) {
  for (int i = 0; i < SIZE; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < SIZE; i++) b[SIZE - 1 - i] = a[i];
  for (int i = 0; i < SIZE; i++)
    if (a[i] != b[SIZE - 1 - i]) reach_error();
  return 0;
}
