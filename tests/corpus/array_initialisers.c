// plumb: truth=true bmc=true kinduction=true default=true
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

struct point { int x, y; };
int a[] = {1, 2, [4] = 5, 6};
struct point p[2] = {{.y = 2, .x = 1}, {3}};
int main(void) {
    check(sizeof a / sizeof a[0] == 6);
    check(a[2] == 0 && a[3] == 0 && a[5] == 6);
    check(p[0].x == 1 && p[0].y == 2 && p[1].x == 3 && p[1].y == 0);
    return 0;
}
