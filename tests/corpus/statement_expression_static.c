// plumb: truth=true default=true bmc=true
// The operand of a cast is looked at twice, but a static variable in it has its first value all the same.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef __typeof__(sizeof(0)) size_t;
extern void *memcpy(void *, const void *, size_t);

int table[3] = { 1, 2, 3 };

int main(void) {
  int x = __VERIFIER_nondet_int();
  memcpy(&x, (void *)({ static int at = 1; &table[at]; }), sizeof x);
  if (x != 2)
    reach_error();
  return 0;
}
