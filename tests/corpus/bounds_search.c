// plumb: truth=true options=--assert,bounds default=true eureka=true
// The search stops at a mark, which is in the array: no access is out of bounds, whatever the other elements are.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[20];

int main(void) {
  int i;
  for (i = 0; i < 20; i++) a[i] = __VERIFIER_nondet_int();
  a[13] = 7;
  i = 0;
  while (a[i] != 7) i++;
  if (i > 13) reach_error();
  return 0;
}
