// plumb: truth=false summaries=unknown default=false
// What the recursion writes far below is not what it was.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int calls, seen;

void leaf(int *last) { *last = calls; }

void visit(int n) {
  if (n <= 0) {
    leaf(&seen);
    return;
  }
  calls++;
  visit(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 9) return 0;
  visit(n);
  if (seen == 9) reach_error();
  return 0;
}
