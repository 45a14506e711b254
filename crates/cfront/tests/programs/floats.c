/* Floating point: arithmetic, conversions, comparisons with NaN, float and long double, printing. */
#include <stdio.h>
#include <math.h>

static double id(double x) { return x; }
static float fid(float x) { return x; }
static float table[4] = { 1, 2.5f, -3, 1e-3f };
static long double third(int n) { return n / 3.0L; }

int main(void)
{
    double a = id(1.0) / 3, b = id(2) * a;
    float f = fid(1.0f) / 3, g = f * 3;
    printf("%.17g %.17g %.9g %.9g\n", a, b, f, g);
    printf("%d %d %d\n", (int)id(3.99), (int)id(-3.99), (unsigned char)id(200.7));
    printf("%lld %llu\n", (long long)id(1e18), (unsigned long long)id(1.5e19));
    printf("%.1f %.1f %.1f\n", (double)0xffffffffu, (double)-5LL, (double)18446744073709551615ull);
    printf("%.9g %.9g\n", (float)16777217, (float)id(0.1));
    double inf = id(1) / 0.0, nan = inf - inf, zero = -id(0.0);
    printf("%d %d %d %d %d\n", inf > 1e300, nan == nan, nan != nan, nan < 1, !(nan >= 1));
    printf("%f %f %d\n", inf, -inf, zero == 0);
    printf("%g %g %g %g\n", sqrt(id(2)), fabs(id(-2.5)), floor(id(-2.5)), ceil(id(2.1)));
    printf("%g %g %g %g\n", trunc(id(-2.7)), round(id(2.5)), fmod(id(7.5), 2), rint(id(2.5)));
    printf("%d %d %d\n", isnan(nan) != 0, isinf(inf) != 0, signbit(zero) != 0);
    double s = 0;
    for (int i = 1; i <= 100; i++)
        s += 1.0 / i;
    printf("%.15f\n", s);
    float fs = 0;
    for (int i = 0; i < 1000; i++)
        fs += 0.1f;
    printf("%.6f\n", fs);
    table[1] *= table[2];
    table[0]++;
    table[3] += 1;
    printf("%g %g %g\n", table[0], table[1], table[3]);
    printf("%d %d %d\n", a ? 1 : 2, !id(0.0), id(0.5) && id(-0.5));
    long double l = third(1);
    printf("%.20Lg %.15g\n", l, (double)l);
    l = l * 3 - 1;
    printf("%Lg\n", l);
    printf("%a %.3a\n", id(1.1), id(-0.75));
    union { double d; unsigned long long u; } u = { 1.5 };
    printf("%llx\n", u.u);
    u.u += 1;
    printf("%.17g\n", u.d);
    double x = 1, lo = 0, hi = 2;
    for (int i = 0; i < 60; i++) {
        x = (lo + hi) / 2;
        if (x * x < 2)
            lo = x;
        else
            hi = x;
    }
    printf("%.15f\n", x);
    int i = 7;
    i *= 1.5;
    i += 0.9;
    printf("%d\n", i);
    printf("%e %E %G %10.3e|%-12.4f|%+g\n", 12345.678, 0.00012, 1e-10, 3.0, 2.0, 1.0);
    return (int)(s * 10);
}
