/* Initialiser lists: nesting, designators, overrides, strings, unions, compound literals, static addresses, mixed scopes. */
#include <stdio.h>
#include <stddef.h>

struct in { int a; char b[4]; union { short s; int w; } u; };
struct out { struct in x, y[2]; int z; const char *name; };

static int zeros[5];
static int part[5] = { 1, 2 };
static int holes[8] = { [2] = 5, 6, [7] = 9, [0] = 3 };
static int over[3] = { 1, 2, 3, [1] = 20 };
static int counted[] = { [4] = 1, 2, [1] = 7 };
static char text[] = "text", fixed[3] = "abc", braces[] = { "braces" }, list[] = { 'a', 'b', 0 };
static int grid[][3] = { 1, 2, 3, 4, 5 };
static int deep[2][2][2] = { { { 1 }, { 2, 3 } }, [1][1][0] = 8 };
static struct out s = { { 1, "xy", { 3 } }, { [1] = { .b = { 'q' }, .u.w = 70000 } }, .name = "static" };
static struct in flat[2] = { 1, 'a', 'b', 'c', 'd', 2, 3, 'e' };
static int *addresses[3] = { &holes[2], holes + 7, NULL };
static struct out *self = &s;
static const char **pname = &s.name;
static char *middle = &text[2];
static size_t sizes[] = { sizeof zeros, sizeof counted, sizeof text, sizeof braces, sizeof grid };
static union { unsigned char bytes[4]; unsigned word; } first = { { 1, 2, 3, 4 } }, named = { .word = 0x01020304 };
static struct { int f : 3; unsigned g : 7; int : 4; int h : 9; } bits = { 3, 100, -200 };
static double reals[] = { 1, 2.5, 'a', 1 << 4 };
static long long wide = 1LL << 40 | 5;
static struct { struct { int n; } *p; int n; } tricky = { 0, 7 };
static int say(const char *format, int a, int b) { return printf(format, a, b); }
static int (*fp)(const char *, int, int) = say;
enum { A = 3, B = A * 2, C = sizeof(int) + B };
static int sums[C] = { A, B, C };
static struct point { int x, y; } *lit = &(struct point){ 11, 12 };

static void show(const char *name, const int *a, int n)
{
    printf("%s:", name);
    while (n--)
        printf(" %d", *a++);
    printf("\n");
}

static int local(int k)
{
    int a[4] = { k, k + 1 };
    int b[2][3] = { { k }, { [2] = k * k } };
    struct in t = { .u = { .s = k }, .a = 5 }, copy = t;
    struct out o = { .x = t, .y = { copy, { k } } };
    char word[8] = "loc";
    struct point pts[] = { { 1, k }, { .y = k }, { 3 } };
    int scalar = { 9 };
    static int count = { 100 };
    count += k;
    int total = 0;
    for (int i = 0; i < 4; i++)
        total += a[i];
    for (int i = 0; i < 6; i++)
        total += (&b[0][0])[i];
    for (int i = 3; i < 8; i++)
        total += word[i];
    total += copy.b[2] + copy.u.s + o.y[0].a + o.y[1].a + o.z + (o.name == NULL);
    for (int i = 0; i < (int)(sizeof pts / sizeof *pts); i++)
        total += pts[i].x * 100 + pts[i].y;
    return total + scalar + count + (int[]){ 1, k, 3 }[1] + ((struct point){ .y = k }).y;
}

int main(void)
{
    show("zeros", zeros, 5);
    show("part", part, 5);
    show("holes", holes, 8);
    show("over", over, 3);
    show("counted", counted, (int)(sizeof counted / sizeof *counted));
    show("grid", &grid[0][0], (int)(sizeof grid / sizeof(int)));
    show("deep", &deep[0][0][0], 8);
    show("sums", sums, C);
    printf("%s %.3s %s %s\n", text, fixed, braces, list);
    printf("%d %s %d %c %d %d %s\n", s.x.a, s.x.b, s.x.u.s, s.y[1].b[0], s.y[1].u.w, s.z, self->name);
    printf("%d %c %d %d %c %d\n", flat[0].a, flat[0].b[3], flat[0].u.s, flat[1].a, flat[1].b[0], flat[1].u.s);
    printf("%d %d %d\n", *addresses[0], *addresses[1], addresses[2] == 0);
    *pname = "changed";
    *middle = 'X';
    printf("%s %s\n", s.name, text);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        printf("%u ", (unsigned)sizes[i]);
    printf("\n%x %d\n", first.word, named.bytes[0]);
    printf("%d %d %d\n", bits.f, bits.g, bits.h);
    printf("%g %g %g %g %lld %d\n", reals[0], reals[1], reals[2], reals[3], wide, tricky.n);
    printf("%d %d\n", lit->x, lit->y);
    fp("%d %d\n", local(3), A + B + C);
    printf("%d ", local(4));
    printf("%d\n", local(-1));
    return 0;
}
