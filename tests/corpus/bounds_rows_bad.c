// plumb: truth=false options=--assert,bounds bmc=false
// The address is within the array of arrays, the index is not within the row.
int main(void) {
  int grid[3][4];
  int *unchecked = &grid[0][0];
  unchecked[5] = 1;
  for (int i = 0; i <= 4; i++) grid[1][i] = 0;
  return 0;
}
