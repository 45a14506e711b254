// plumb: truth=false default=unknown bmc=unknown test=none
// getopt changes variables of its own.
extern void reach_error(void);
extern int getopt(int, char *const[], const char *);
extern char *optarg;

int main(int argc, char **argv) {
  char *first = 0;
  if (getopt(argc, argv, "a:b:") == 'a')
    first = optarg;
  if (getopt(argc, argv, "a:b:") == 'b' && first && first != optarg)
    reach_error();
  return 0;
}
