// plumb: truth=true bmc=true default=true
// Linear interpolation in a table: the index is the integral part of the argument.
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

const float square[8] = { 0, 1, 4, 9, 16, 25, 36, 49 };

int main(void)
{
    float x = __VERIFIER_nondet_float(), y;
    if (!(x >= 0.0f && x < 7.0f))
        return 0;
    int i = (int)x;
    y = square[i] + (square[i + 1] - square[i]) * (x - i);
    if (!(y >= x - 0.01f && y <= 7.01f * x))
        reach_error();
    return 0;
}
