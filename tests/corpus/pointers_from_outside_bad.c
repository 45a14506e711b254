// plumb: truth=false default=false bmc=false
// Two pointers from outside may be the same.
extern void reach_error(void);
extern int *here(void);
extern int *there(void);

int main(void) {
  int *p = here(), *q = there();
  if (!p || !q)
    return 0;
  *p = 1;
  *q = 2;
  if (*p == 2)
    reach_error();
  return 0;
}
