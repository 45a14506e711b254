// plumb: truth=true default=unknown execute=unknown
// Vectors are unsupported; so is how large they are.
extern void reach_error(void);
typedef float pair __attribute__((vector_size(8)));
struct boxed { pair p; };

int main(void) {
  if (sizeof(struct boxed) != 8)
    reach_error();
  return 0;
}
