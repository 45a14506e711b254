// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int main(void) {
    int x = 1, y = 2;
    int *p = &x, **pp = &p;
    **pp = 5;
    *pp = &y;
    **pp = 6;
    check(x == 5 && y == 6 && p == &y);
    return 0;
}
