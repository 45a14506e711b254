// plumb: truth=true default=true execute=true
// A long double uses ten bytes of its twelve; memset and memcpy write all.
extern void reach_error(void);
typedef __typeof__(sizeof(0)) size_t;
extern void *memset(void *, int, size_t);
extern void *memcpy(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t);

struct number { long double value; int unit; };

int main(void) {
  struct number a, b;
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
  a.unit = b.unit = 3;
  if (memcmp(&a, &b, sizeof a))
    reach_error();
  a.value = 1.5L;
  memcpy(&b, &a, sizeof a);
  if (b.value != 1.5L || memcmp(&a, &b, sizeof a))
    reach_error();
  return 0;
}
