// plumb: truth=true default=unknown
// Qualifiers select here, which are no part of the types that are followed.
extern void reach_error(void);

int main(void) {
  const char *text = "a";
  if (_Generic(text, char *: 1, const char *: 2) != 2)
    reach_error();
  return 0;
}
