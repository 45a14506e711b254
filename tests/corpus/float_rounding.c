// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    float f = 16777216.0f;
    double d = 0.1 + 0.2;
    check(f + 1.0f == f);
    check(d != 0.3);
    check((int)-2.75 == -2);
    return 0;
}
