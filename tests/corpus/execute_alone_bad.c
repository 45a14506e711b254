// plumb: truth=false execute=false
extern void reach_error(void);

/* Nothing comes from outside but what is in the last cell. */
int main(void) {
    unsigned a[40], seed = 7;
    for (int i = 0; i < 39; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = seed >> 16 & 1023;
    }
    for (int i = 0; i < 40; i++)
        if (a[i] > 1023)
            reach_error();
    return 0;
}
