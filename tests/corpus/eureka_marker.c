// plumb: truth=true eureka=true eureka-ufo=true eureka-dagger=true
// A search stops at the marker at the latest: only the marked element matters.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int row[5000];
int main(void) {
  int i;
  for (i = 0; i < 5000; i++) row[i] = __VERIFIER_nondet_int();
  row[4000] = 17;
  i = 0;
  while (row[i] != 17) {
    row[i] = 3 * i;
    i = i + 1;
  }
  if (i > 4000) reach_error();
  return 0;
}
