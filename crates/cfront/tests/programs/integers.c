/* Promotions, conversions, shifts, division, comparisons of mixed signedness. */
#include <stdio.h>
#include <limits.h>

static unsigned char uc = 200;
static signed char sc = -100;
static short ss = -30000;
static unsigned short us = 60000;

int id(int x) { return x; }
unsigned uid(unsigned x) { return x; }

int main(void)
{
    int i = id(INT_MAX);
    unsigned u = uid(UINT_MAX);
    long l = id(-5);
    unsigned long ul = (unsigned long)l;
    long long ll = (long long)id(7) << 40;
    unsigned long long ull = ~(unsigned long long)uid(0);
    i = i + 1;
    printf("%d %u %ld %lu %lld %llu\n", i, u, l, ul, ll, ull);
    printf("%d %d %d\n", uc + uc, sc * sc, ss + ss);
    printf("%d %d\n", us * us, (unsigned char)(uc + 100));
    uc += 100;
    sc -= 100;
    ss *= 3;
    us <<= 1;
    printf("%d %d %d %d\n", uc, sc, ss, us);
    printf("%d %d %d %d\n", id(-7) / 2, id(-7) % 2, id(7) / -2, id(7) % -2);
    printf("%u %u\n", uid(-7) / 2, uid(-7) % 2);
    printf("%d %d %d\n", id(-1) < 1, id(-1) < uid(1), (long long)id(-1) < uid(1));
    printf("%d %d\n", -1L < uid(1), (char)200 < 0);
    printf("%d %d %u %u\n", id(-16) >> 2, id(-1) << 4, uid(-16) >> 2, uid(0x80000000u) << 1);
    printf("%lld %llu\n", ll >> 3, ull >> 60);
    printf("%d %d %d\n", id(0x55) & 0x0f, id(0x50) | 3, id(0xff) ^ 0x0f);
    printf("%d %u %d\n", ~id(5), ~uid(5), -id(INT_MIN));
    printf("%d %d %d\n", !id(0), !!id(7), !uid(3));
    printf("%x %x %x\n", (unsigned)(signed char)0x80, (unsigned)(short)0x8000, (unsigned)(unsigned char)-1);
    printf("%lld %lld\n", (long long)(int)0x80000000, (long long)0x80000000u);
    _Bool b = 256;
    _Bool c = 0.5;
    b += 5;
    printf("%d %d %zu\n", b, c, sizeof b);
    b--;
    printf("%d\n", b);
    printf("%d %d\n", 'a', '\377');
    printf("%d %d %d\n", '\x41', '\101', '\\');
    for (int k = 0; k < 5; k++)
        printf("%d:%d ", k, (1 << k) - k * k);
    printf("\n");
    long long big = 1;
    for (int k = 0; k < 70; k++)
        big = big * 3 + k;
    printf("%lld\n", big);
    unsigned long long h = 14695981039346656037ull;
    for (int k = 0; k < 100; k++)
        h = (h ^ (unsigned)k) * 1099511628211ull;
    printf("%llx\n", h);
    printf("%d %d\n", (int)sizeof(long), (int)sizeof(void *));
    i = 5;
    int j = i++ + 10, m = --i * 2;
    printf("%d %d %d\n", i, j, m);
    i = j = m = 3;
    printf("%d\n", i + j + m);
    i += j -= m *= 2;
    printf("%d %d %d\n", i, j, m);
    printf("%d\n", (i, j, m));
    printf("%ld %ld\n", 07 + 0x1fL, 10l);
    return i & 0x7f;
}
