// plumb: truth=false eureka=false eureka-ufo=false eureka-dagger=false
// The search writes what it looks for into an element before the marker.
extern void reach_error(void);
int row[40];
int main(void) {
  int i;
  for (i = 0; i < 6; i++) row[i] = i;
  row[5] = 8;
  i = 0;
  while (row[i] != 8) {
    row[i + 1] = row[i + 1] + i + 3;
    i = i + 1;
  }
  if (i != 5) reach_error();
  return 0;
}
