// plumb: truth=false default=false bmc=false
// A function of a missing part of the program that has its name from the C library, and nothing else.
extern void reach_error(void);
extern int round(int number);
extern int index(int key);

int main(void) {
  if (round(3) == 7 && index(1) == 2)
    reach_error();
  return 0;
}
