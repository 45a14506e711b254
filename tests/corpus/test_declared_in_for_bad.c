// plumb: truth=false bmc=false
// An uninitialised object between the parentheses of a for statement, and a structure that a function without a body returns.
extern void reach_error(void);

struct pair {
  int a, b;
};
extern struct pair get(void);

int main(void) {
  int n = 0;
  for (int i[2]; n < 3; n++)
    if (i[n & 1] == 77) {
      struct pair v = get();
      if (v.b == 12) reach_error();
    }
  return 0;
}
