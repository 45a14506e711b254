/* Loops, switch with fall through, goto into and out of blocks, short circuits, Duff's device. */
#include <stdio.h>

static int calls;
static int note(int v) { calls++; return v; }

static void copy(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

static const char *kind(int c)
{
    switch (c) {
    case 'a' ... 'z': return "lower";
    case 'A' ... 'Z': return "upper";
    case '0': case '1': case '2': return "low digit";
    default:
        if (c < 0)
            return "negative";
        break;
    case 127: return "delete";
    }
    return "other";
}

static int collatz(unsigned n)
{
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

static int nested(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0;; j++) {
            if (j > i)
                break;
            if ((i + j) % 3 == 0)
                continue;
            if (i * j > 40)
                goto out;
            sum += i * j;
        }
    }
out:
    return sum;
}

int main(void)
{
    char text[32] = "the quick brown fox jumps";
    char to[32] = { 0 };
    copy(to, text, 26);
    printf("%s\n", to);
    printf("%s %s %s %s %s %s\n", kind('q'), kind('Q'), kind('1'), kind(127), kind(-4), kind(' '));
    for (unsigned i = 1; i < 12; i++)
        printf("%d ", collatz(i));
    printf("\n%d\n", nested(20));
    int r = note(0) && note(1);
    r += note(1) || note(0);
    r += note(0) || (note(1) && note(0));
    r += note(1) ? note(10) : note(20);
    printf("%d %d\n", r, calls);
    int i = 0;
again:
    if (i < 3) {
        i++;
        goto again;
    }
    goto inside;
    {
        int x;
inside:
        x = 5;
        i += x;
    }
    printf("%d\n", i);
    do
        i -= 3;
    while (i > 0);
    printf("%d\n", i);
    switch (i) {
        int k;
    case -1:
        k = 4;
        printf("case %d\n", k);
    }
    switch (note(7))
        ;
    switch (note(8)) { default: printf("default\n"); }
    for (i = 0; i < 10; i++)
        switch (i & 3) {
        case 1: continue;
        case 2: break;
        default: printf("%d ", i);
        }
    printf("\n%d\n", calls);
    long long big = 0x100000001LL;
    switch (big) {
    case 1: printf("one\n"); break;
    case 0x100000001LL: printf("big\n"); break;
    }
    if (0) { unreachable: printf("reached\n"); return 3; }
    goto unreachable;
}
