// plumb: truth=true default=true
// Of the arguments of the program none is a null pointer, and a null pointer follows them.
extern void reach_error(void);

int main(int argc, char **argv) {
  if (argv[argc < 64 ? argc : 0] != 0 && argc < 64)
    reach_error();
  for (int i = 1; i < argc && i < 5; i++)
    if (!argv[i])
      reach_error();
  return 0;
}
