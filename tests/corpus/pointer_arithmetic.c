// plumb: truth=true bmc=true kinduction=unknown default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    short a[6] = {10, 11, 12, 13, 14, 15};
    short *p = a, *end = a + 6;
    int s = 0;
    while (p != end)
        s += *p++;
    check(s == 75);
    check(end - a == 6);
    return 0;
}
