// plumb: truth=false default=false bmc=false kinduction=false ufo=false pdr=false value-sep=false
// As pointer_cases.c, but the pointer moves on, so that each counter gets a part; one of them is never set before.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0, y, n = 0;
  int *p = &x;
  y = __VERIFIER_nondet_int() & 1;
  int first = y;
  while (n < 5) {
    if (n == 3)
      p = &y;
    *p = *p + 1;
    n++;
  }
  if (x == 3 && y == 2 + first && first == 1)
    reach_error();
  return 0;
}
