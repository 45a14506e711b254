// plumb: truth=false execute=false
extern void reach_error(void);

/* The loop ends because the counter wraps around, after two thousand million iterations. */
int main(void) {
    unsigned x = 10;
    while (x >= 10)
        x += 2;
    if (x % 2 == 0)
        reach_error();
    return 0;
}
