// plumb: truth=true bmc=true kinduction=true default=true
#include <stdarg.h>
extern void reach_error(void);
void check(int ok) { if (!ok) reach_error(); }

int total(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
int main(void) {
    int n = 3;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i + 1;
    check(total(n, a[0], a[1], a[2]) == 6);
    check(sizeof a == 12);
    return 0;
}
