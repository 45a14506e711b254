/* Shadowing, lifetimes in loops, jumps over declarations, static against automatic, volatile, linkage inside functions. */
#include <stdio.h>

int x = 1;
static int y = 2;
extern int z;
int z = 3;
int tentative;
int tentative;

static int shadow(int x)
{
    int r = x;
    {
        int x = 10;
        r += x;
        {
            extern int x;
            r += x * 1000;
        }
        for (int x = 0; x < 3; x++)
            r += x;
    }
    return r;
}

static int loops(void)
{
    int total = 0;
    int *last = 0;
    for (int i = 0; i < 5; i++) {
        int a[3] = { i, i * 2 };
        int *p = a;
        p[2] = p[0] + p[1];
        if (i == 3)
            continue;
        total += *(p + 2);
        last = &total;
        if (i == 4)
            break;
    }
    return *last;
}

static int jumps(int n)
{
    int s = 0;
    switch (n) {
        int v;
    case 0:
        v = 5;
        s = v;
        break;
    case 1: {
        int v[2] = { 7, 8 };
        s = v[1];
        goto shared;
    }
    default:
        v = n;
    shared:
        s += 100;
    }
    goto check;
    {
        int k[4];
    fill:
        for (int i = 0; i < 4; i++)
            k[i] = i + n;
        s += k[3];
        goto end;
    }
check:
    if (s > 50)
        goto fill;
end:
    return s;
}

static int *stays(void)
{
    static int memory[2];
    memory[0]++;
    memory[1] += memory[0];
    return memory;
}

static int addressed(int n)
{
    int a = n, *pa = &a, **ppa = &pa;
    **ppa += 1;
    {
        int b = 5;
        pa = &b;
        **ppa *= 2;
        n = b;
    }
    pa = &a;
    return a * 100 + n + *pa;
}

static volatile int tick;
static int ticks(void)
{
    int n = 0;
    tick = 0;
    while (tick < 5) {
        tick++;
        n += tick;
    }
    return n;
}

static int typedefs(void)
{
    typedef int T;
    T t = 3;
    {
        long T = 4;
        t += T;
    }
    T u = sizeof(T);
    struct T { char c[7]; };
    return t * 100 + u * 10 + (int)sizeof(struct T);
}

static int label_and_name(void)
{
    int name = 0;
name:
    if (name++ < 3)
        goto name;
    return name;
}

int main(void)
{
    printf("%d %d\n", shadow(5), loops());
    printf("%d %d %d\n", jumps(0), jumps(1), jumps(70));
    stays();
    int *m = stays();
    printf("%d %d\n", m[0], m[1]);
    printf("%d %d %d\n", addressed(3), ticks(), typedefs());
    printf("%d %d %d %d %d\n", label_and_name(), x, y, z, tentative);
    return 0;
}
