// plumb: truth=true default=true bmc=true
// `__builtin_isinf` does not tell the sign, and `__builtin_classify_type` tells pointers and floats from integers.
extern void reach_error(void);

int main(void) {
  double low = -__builtin_inf();
  if (__builtin_isinf(low) != 1 || __builtin_isinf_sign(low) != -1)
    reach_error();
  if (__builtin_classify_type(low) != 8 || __builtin_classify_type(&low) != 5 || __builtin_classify_type('a') != 1)
    reach_error();
  return 0;
}
