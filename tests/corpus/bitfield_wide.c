// plumb: truth=true default=unknown
// A field of 40 bits is shifted in 40 bits by gcc and in 64 bits by others.
extern void reach_error(void);
struct word { unsigned long long low : 40; unsigned long long high : 24; };

int main(void) {
  struct word w = { 1ull << 39, 0 };
  if (w.low << 1 != 0)
    reach_error();
  return 0;
}
