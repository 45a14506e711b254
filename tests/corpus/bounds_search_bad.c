// plumb: truth=false options=--assert,bounds default=false
// The mark is where the search has already been: it goes on beyond the end, where the program has no meaning and so no error of its own.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[6];

int main(void) {
  int i;
  for (i = 0; i < 6; i++) a[i] = __VERIFIER_nondet_int();
  a[2] = 7;
  i = 3;
  while (a[i] != 7) i++;
  if (i > 5) reach_error();
  return 0;
}
