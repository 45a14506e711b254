// plumb: truth=true bmc=true kinduction=unknown default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

struct bits { unsigned a : 3; int b : 4; unsigned c : 9; };
int main(void) {
    struct bits s = {0, 0, 0};
    for (int i = 0; i < 9; i++)
        s.a++;
    s.b = 7;
    s.b++;
    s.c = 511;
    check(s.a == 1 && s.b == -8 && s.c == 511);
    return 0;
}
