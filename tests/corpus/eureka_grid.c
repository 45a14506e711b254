// plumb: truth=true eureka=true eureka-ufo=true
// Elements of arrays of structs with arrays: two of them matter.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct line { char used; short at[4]; };
int main(void) {
  struct line grid[3];
  int i, j;
  for (i = 0; i < 3; i++) {
    grid[i].used = 0;
    for (j = 0; j < 4; j++) grid[i].at[j] = __VERIFIER_nondet_int() & 7;
  }
  grid[1].at[2] = 9;
  grid[2].used = 1;
  i = __VERIFIER_nondet_int();
  j = __VERIFIER_nondet_int();
  if (i < 0 || i > 2 || j < 0 || j > 3 || (i == 1 && j == 2)) return 0;
  grid[i].at[j] = 5;
  if (grid[1].at[2] != 9 || !grid[2].used) reach_error();
  return 0;
}
