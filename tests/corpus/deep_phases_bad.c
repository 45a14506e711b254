// plumb: truth=false execute=false
extern void reach_error(void);
static unsigned next(unsigned x) { return x + 2; }

/* The error is after some hundred million iterations, in two phases, with a call and an inner loop. */
int main(void) {
    unsigned x = 0, y, rounds = 0;
    while (x < 400000001) {
        if (x < 300000000)
            x = next(x);
        else
            x += 3;
        for (y = 0; y < 4; y++)
            ;
        rounds++;
    }
    if (x == 400000002)
        reach_error();
    return 0;
}
