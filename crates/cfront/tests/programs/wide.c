/* 128-bit integers, where the compiler has them. */
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void show(u128 v)
{
    char text[40];
    int n = 39;
    text[n] = 0;
    do {
        text[--n] = '0' + (int)(v % 10);
        v /= 10;
    } while (v);
    printf("%s\n", text + n);
}

static u128 power(u128 b, unsigned e)
{
    u128 r = 1;
    while (e) {
        if (e & 1)
            r *= b;
        b *= b;
        e >>= 1;
    }
    return r;
}

int main(void)
{
    show(~(u128)0);
    show(power(3, 80));
    show(power(7, 99));
    i128 s = -1;
    s <<= 100;
    show((u128)s);
    show((u128)(s >> 50));
    printf("%d %d\n", s < 0, (u128)s > 5);
    s /= 1000003;
    show((u128)-s);
    show((u128)(-s % 1000));
    unsigned long long hi = (unsigned long long)(power(5, 50) >> 64), lo = (unsigned long long)power(5, 50);
    printf("%llx %llx\n", hi, lo);
    double d = (double)power(2, 100);
    printf("%g %g\n", d, (double)(i128)-5);
    u128 a[3] = { 1, (u128)1 << 64, (u128)1 << 127 };
    u128 x = 0;
    for (int i = 0; i < 3; i++)
        x ^= a[i];
    show(x);
    printf("%zu\n", sizeof x);
    return 0;
}
