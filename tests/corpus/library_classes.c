// plumb: truth=true default=true execute=true
// The functions of ctype.h tell a class by a number of their own, not by 1.
extern void reach_error(void);
extern int isalpha(int);
extern int isspace(int);

int main(void) {
  if (isalpha('a') == 1 || isspace(' ') + isspace('x') == 1 || !isalpha('a'))
    reach_error();
  return 0;
}
