// plumb: truth=true guess=true default=true
extern void reach_error(void);

/* Two phases, far too long to follow: by threes to 30 000, then by fives. */
int main(void) {
    unsigned x = 0, steps = 0;
    while (x < 200000000) {
        if (x < 30000)
            x += 3;
        else
            x += 5;
        steps++;
    }
    if (x % 5 != 0 || x > 200000004)
        reach_error();
    return 0;
}
