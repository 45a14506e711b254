// plumb: truth=true execute=true default=true
extern void reach_error(void);

/* Nothing comes from outside: a shuffled sequence is sorted by exchanges. */
int main(void) {
    unsigned a[300], seed = 7;
    for (int i = 0; i < 300; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = seed >> 16 & 1023;
    }
    for (int i = 0; i < 300; i++)
        for (int j = 1; j < 300 - i; j++)
            if (a[j - 1] > a[j]) {
                unsigned t = a[j];
                a[j] = a[j - 1];
                a[j - 1] = t;
            }
    for (int i = 1; i < 300; i++)
        if (a[i - 1] > a[i])
            reach_error();
    return 0;
}
