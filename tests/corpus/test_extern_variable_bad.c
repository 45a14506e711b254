// plumb: truth=false bmc=false
// Variables that are declared and never defined hold any value; the test defines them.
extern void reach_error(void);

extern int limit;
extern int table[4];

int main(void) {
  if (limit == 5 && table[2] == 9) reach_error();
  return 0;
}
