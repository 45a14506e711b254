/* Small classics: queens, life, expression parser, big numbers, run lengths, quicksort, shortest paths, a virtual table. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <stdint.h>

static int queens(int n, unsigned cols, unsigned d1, unsigned d2)
{
    unsigned all = (1u << n) - 1, free_ = all & ~(cols | d1 | d2);
    int count = cols == all;
    while (free_) {
        unsigned bit = free_ & -free_;
        free_ ^= bit;
        count += queens(n, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
    }
    return count;
}

#define W 12
static unsigned char board[2][W][W];
static int life(int steps)
{
    int now = 0, alive = 0;
    board[0][1][2] = board[0][2][3] = board[0][3][1] = board[0][3][2] = board[0][3][3] = 1;
    while (steps--) {
        for (int r = 0; r < W; r++)
            for (int c = 0; c < W; c++) {
                int n = 0;
                for (int i = -1; i <= 1; i++)
                    for (int j = -1; j <= 1; j++)
                        if (i || j)
                            n += board[now][(r + i + W) % W][(c + j + W) % W];
                board[!now][r][c] = n == 3 || (n == 2 && board[now][r][c]);
            }
        now = !now;
    }
    for (int i = 0; i < W * W; i++)
        alive = alive * 3 + board[now][i / W][i % W];
    return alive;
}

static const char *at;
static long expr(void);
static long atom(void)
{
    if (*at == '(') {
        at++;
        long v = expr();
        at++;
        return v;
    }
    if (*at == '-') {
        at++;
        return -atom();
    }
    long v = 0;
    while (*at >= '0' && *at <= '9')
        v = v * 10 + (*at++ - '0');
    return v;
}
static long product(void)
{
    long v = atom();
    for (;;)
        switch (*at) {
        case '*': at++; v *= atom(); break;
        case '/': { at++; long d = atom(); v = d ? v / d : 0; break; }
        case '%': at++; v %= atom(); break;
        default: return v;
        }
}
static long expr(void)
{
    long v = product();
    while (*at == '+' || *at == '-')
        v = *at++ == '+' ? v + product() : v - product();
    return v;
}
static long evaluate(const char *text) { at = text; return expr(); }

static void factorial(int n)
{
    unsigned char digits[80] = { 1 };
    int len = 1;
    for (int i = 2; i <= n; i++) {
        int carry = 0;
        for (int j = 0; j < len; j++) {
            carry += digits[j] * i;
            digits[j] = carry % 10;
            carry /= 10;
        }
        while (carry) {
            digits[len++] = carry % 10;
            carry /= 10;
        }
    }
    while (len--)
        putchar('0' + digits[len]);
    putchar('\n');
}

static int runs(const char *in, char *out)
{
    char *start = out;
    while (*in) {
        int n = 1;
        while (in[n] == *in && n < 9)
            n++;
        *out++ = '0' + n;
        *out++ = *in;
        in += n;
    }
    *out = '\0';
    return out - start;
}

static void quick(int *lo, int *hi)
{
    if (lo >= hi)
        return;
    int pivot = lo[(hi - lo) / 2], *i = lo, *j = hi;
    while (i <= j) {
        while (*i < pivot) i++;
        while (*j > pivot) j--;
        if (i <= j) {
            int t = *i;
            *i++ = *j;
            *j-- = t;
        }
    }
    quick(lo, j);
    quick(i, hi);
}

#define INF 0x3fffffff
static int paths(void)
{
    int d[6][6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            d[i][j] = i == j ? 0 : (i * 7 + j * 3) % 5 == 0 ? 1 + (i * j) % 9 : INF;
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
    int s = 0;
    for (int i = 0; i < 36; i++)
        s = s * 7 + d[i / 6][i % 6];
    return s;
}

struct shape;
struct class_ { const char *name; int (*area)(const struct shape *); void (*scale)(struct shape *, int); };
struct shape { const struct class_ *is; int a, b; };
static int rect_area(const struct shape *s) { return s->a * s->b; }
static int square_area(const struct shape *s) { return s->a * s->a; }
static void scale_both(struct shape *s, int k) { s->a *= k; s->b *= k; }
static const struct class_ rect = { "rect", rect_area, scale_both }, square = { "square", square_area, scale_both };

static uint32_t sum32(const void *data, size_t n)
{
    const uint8_t *p = data;
    uint32_t a = 1, b = 0;
    while (n--) {
        a = (a + *p++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint64_t state = 88172645463325252ull;
static uint64_t xorshift(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

int main(void)
{
    printf("%d %d\n", queens(6, 0, 0, 0), queens(7, 0, 0, 0));
    printf("%d\n", life(9));
    printf("%ld %ld %ld\n", evaluate("1+2*3"), evaluate("(1+2)*-(3-10)/4%5"), evaluate("2*(3+(4-5)*6)-7"));
    factorial(30);
    char out[64];
    int len = runs("aaabccddddddddddddde", out);
    printf("%s %d\n", out, len);
    int a[40];
    for (int i = 0; i < 40; i++)
        a[i] = (int)(xorshift() >> 50) - 8000;
    quick(a, a + 39);
    int ordered = 1;
    for (int i = 1; i < 40; i++)
        ordered &= a[i - 1] <= a[i];
    printf("%d %d %d\n", ordered, a[0], a[39]);
    printf("%d\n", paths());
    struct shape shapes[] = { { &rect, 3, 4 }, { &square, 5, 0 } };
    for (unsigned i = 0; i < 2; i++) {
        struct shape *s = &shapes[i];
        s->is->scale(s, (int)i + 2);
        printf("%s %d\n", s->is->name, s->is->area(s));
    }
    printf("%x %x\n", sum32("The quick brown fox", 19), sum32(a, 8));
    double total = 0;
    for (int i = 0; i < 10; i++)
        total += (double)(xorshift() >> 11) / 9007199254740992.0;
    printf("%.12f\n", total);
    return 0;
}
