// plumb: truth=false default=false bmc=false test=none
// Any bytes may come into an object.
extern void reach_error(void);
extern void __VERIFIER_nondet_memory(void *, unsigned);
struct pair {
  char tag;
  int value;
};

int main(void) {
  struct pair pairs[2] = {{1, 2}, {3, 4}};
  __VERIFIER_nondet_memory(&pairs[1], sizeof pairs[1]);
  if (pairs[0].value == 2 && pairs[1].tag == 'x' && pairs[1].value == 77)
    reach_error();
  return 0;
}
