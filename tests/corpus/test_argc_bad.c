// plumb: truth=false bmc=false
// The number of arguments is an input.
extern void reach_error(void);

int main(int count, char **vector) {
  if (count == 5 && vector[2] != 0 && vector[5] == 0) reach_error();
  return 0;
}
