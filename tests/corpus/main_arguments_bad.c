// plumb: truth=false execute=false
// What the arguments are is open.
extern void reach_error(void);

int main(int argc, char **argv) {
  if (argc == 3 && argv[2][0] == '-' && argv[2][1] == 'x')
    reach_error();
  return 0;
}
