/* Recursion, static locals, varargs, mutual recursion, K&R definitions, order of side effects through calls. */
#include <stdio.h>
#include <stdarg.h>

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int odd(unsigned);
static int even(unsigned n) { return n == 0 || odd(n - 1); }
static int odd(unsigned n) { return n != 0 && even(n - 1); }

static int counter(void)
{
    static int n = 10;
    static int history[4];
    history[n & 3] = n;
    return n++ + history[0];
}

static int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

static double mix(const char *kinds, ...)
{
    va_list ap, again;
    double s = 0;
    va_start(ap, kinds);
    va_copy(again, ap);
    for (const char *k = kinds; *k; k++)
        switch (*k) {
        case 'i': s += va_arg(ap, int); break;
        case 'l': s += va_arg(ap, long long); break;
        case 'd': s += va_arg(ap, double); break;
        case 's': s += *va_arg(ap, char *); break;
        }
    if (*kinds == 'i')
        s += 1000 * va_arg(again, int);
    va_end(again);
    va_end(ap);
    return s;
}

static int say(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = vprintf(format, ap);
    va_end(ap);
    return n;
}

static int old(a, b, c)
    int a;
    char b;
    short c;
{
    return a + b * c;
}

static void hanoi(int n, int from, int to, int via, int *moves)
{
    if (n == 0)
        return;
    hanoi(n - 1, from, via, to, moves);
    ++*moves;
    hanoi(n - 1, via, to, from, moves);
}

/* Each activation has an object of its own. */
static int depth(int n, int *outer)
{
    int here = n, local[3] = { n, n + 1, n + 2 };
    if (outer)
        *outer += here;
    if (n > 0)
        depth(n - 1, &here);
    return here + local[n % 3];
}

static int log_[16], logged;
static int put(int v) { log_[logged++] = v; return v; }
static void swap2(int *p, int *q) { int t = *p; *p = *q; *q = t; }
static unsigned char narrow(int x) { return x; }
static long long widen(int x) { return x; }

static void permute(char *s, int l, int r)
{
    if (l == r) {
        printf("%s ", s);
        return;
    }
    for (int i = l; i <= r; i++) {
        char t = s[l]; s[l] = s[i]; s[i] = t;
        permute(s, l + 1, r);
        t = s[l]; s[l] = s[i]; s[i] = t;
    }
}

int main(void)
{
    printf("%d %d %d %d\n", fib(15), ack(2, 3), even(20), odd(20));
    for (int i = 0; i < 6; i++)
        printf("%d ", counter());
    printf("\n%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(5, -1, -2, -3, -4, 100));
    printf("%.3f\n", mix("ildsd", 1, 1LL << 40, 2.5, "A", 0.125));
    printf("%d\n", old(1, 2, 3));
    int moves = 0;
    hanoi(8, 1, 2, 3, &moves);
    printf("%d %d\n", moves, depth(6, 0));
    int a = put(1) + put(2) * put(3);
    put(a) && put(0) && put(99);
    int x = 1, y = 2;
    swap2(&x, &y);
    a = x++ * 10 + (y += 5, y);
    printf("%d %d %d %d\n", a, x, y, logged);
    printf("%d %lld\n", narrow(300), widen(-3));
    char word[] = "abc";
    permute(word, 0, 2);
    printf("\n");
    int printed = say("%s %d %c %lld %.2f %Lg %5u|%x\n", "say", -7, 'q', 1LL << 40, 2.5, 0.125L, 42u, 255);
    printf("%d\n", printed);
    return sum(2, 3, 4);
}
