// plumb: truth=false default=false
extern void reach_error(void);

/* The second phase starts one after a multiple of five. */
int main(void) {
    unsigned x = 0;
    while (x < 60000) {
        if (x < 30001)
            x += 3;
        else
            x += 5;
    }
    if (x % 5 != 0)
        reach_error();
    return 0;
}
