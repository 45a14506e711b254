// plumb: truth=true default=true bmc=true
// memcpy and memset write all bytes of an object, those between its members too.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef __typeof__(sizeof(0)) size_t;
extern void *memcpy(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);

struct item { char tag; int value; struct { short s; char c; } in[2]; };

int main(void) {
  struct item a, b, c, d;
  a.tag = 'x';
  a.value = __VERIFIER_nondet_int();
  memcpy(&b, &a, sizeof a);
  if (memcmp(&a, &b, sizeof a) != 0)
    reach_error();
  memset(&c, 7, sizeof c);
  memset(&d, 7, sizeof d);
  if (memcmp(&c, &d, sizeof c) != 0)
    reach_error();
  return 0;
}
