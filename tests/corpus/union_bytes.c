// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

union word { unsigned int w; unsigned char b[4]; };
int main(void) {
    union word u;
    u.w = 0x01020304u;
    check(u.b[0] == 4 && u.b[3] == 1);
    u.b[1] = 0xff;
    check(u.w == 0x0102ff04u);
    return 0;
}
