// plumb: truth=true default=true execute=true
// Objects that come from the allocator are aligned as far as they ask for.
extern void reach_error(void);
extern void *aligned_alloc(unsigned, unsigned);
extern void *realloc(void *, unsigned);
extern void free(void *);

struct line { _Alignas(64) int value; };

int sum(struct line line, int n) {
  struct line lines[2];
  if ((unsigned)&line % 64 != 0 || (unsigned)&lines[1] % 64 != 0)
    reach_error();
  lines[0].value = n;
  return n > 0 ? sum(line, n - 1) + lines[0].value : line.value;
}

int main(void) {
  struct line line = {1};
  int n = sum(line, 3);
  struct line row[n];
  char *block = aligned_alloc(256, 256);
  if ((unsigned)row % 64 != 0 || (unsigned)block % 256 != 0)
    reach_error();
  free(realloc(block, 512));
  return 0;
}
