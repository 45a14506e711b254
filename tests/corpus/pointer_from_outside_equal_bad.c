// plumb: truth=false default=false bmc=false test=none
// A pointer from outside that is equal to that of an object points to it; so does a number.
extern void reach_error(void);
extern int *find(void);
extern unsigned __VERIFIER_nondet_uint(void);
int found = 1, named = 1;

int main(void) {
  int *p = find();
  unsigned address = __VERIFIER_nondet_uint();
  if (p == &found)
    *p = 2;
  if (address == (unsigned)&named)
    *(int *)address = 2;
  if (found == 2 && named == 2)
    reach_error();
  return 0;
}
