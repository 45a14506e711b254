// plumb: truth=true bmc=true kinduction=true ufo=true ufo-cp=true ufo-bp=true ufo-box=true ufo-oct=true ufo-poly=true cp=true bp=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    signed char c = (signed char)200;
    unsigned short s = (unsigned short)-1;
    check(c == -56 && s == 65535);
    check(-1 > 1u);
    check((char)128 < 0);
    check(5 / -2 == -2 && -5 % 3 == -2);
    check((-8 >> 1) == -4 && (1u << 31) == 2147483648u);
    return 0;
}
