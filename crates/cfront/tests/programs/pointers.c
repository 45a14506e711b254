/* Pointers to everything, arithmetic, arrays of several dimensions, function pointers, swaps through pointers. */
#include <stdio.h>
#include <stddef.h>

static int grid[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9 } };
static int *row_of[3] = { grid[0], grid[1], &grid[2][0] };
static int global = 5;
static int *pglobal = &global;
static int **ppglobal = &pglobal;

static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
typedef int (*binary)(int, int);
static binary table[] = { add, mul, &add };
static binary choose(int k) { return k ? mul : add; }

static int sum(const int *a, size_t n)
{
    int s = 0;
    for (const int *p = a; p != a + n; ++p)
        s += *p;
    return s;
}

static int total(int m[][4], int rows)
{
    int s = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++)
            s += m[i][j];
    return s;
}

static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
}

static int *pick(int *a, int *b, int which) { return which ? a : b; }

int main(void)
{
    int x = 1, y = 2;
    swap(&x, &y);
    printf("%d %d\n", x, y);
    **ppglobal = 17;
    printf("%d\n", global);
    ppglobal[0][0]++;
    printf("%d\n", *pglobal);
    printf("%d %d\n", total(grid, 3), sum(&grid[0][0], 12));
    printf("%d %d %d\n", row_of[1][2], *(*(grid + 2) + 0), 2[grid[1]]);
    int a[10] = { 5, 3, 9, 1, 7, [9] = 4, [6] = 8 };
    sort(a, 10);
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    int *p = a + 3, *q = &a[8];
    printf("%d %d %d\n", (int)(q - p), p < q, (int)((char *)q - (char *)p));
    int first = *p++, second = *++p;
    (*p)++;
    printf("%d %d %d\n", first, second, *p--);
    p++;
    printf("%d %d %d\n", p[-1], *(p - 2), q[1]);
    printf("%d %d %d %d\n", apply(add, 3, 4), apply(&mul, 3, 4), table[2](5, 6), (*table[1])(5, 6));
    printf("%d %d\n", choose(0)(8, 9), choose(1)(8, 9));
    *pick(&x, &y, 1) = 42;
    printf("%d %d\n", x, y);
    char bytes[4] = { 1, 2, 3, 4 };
    unsigned word = *(unsigned *)bytes;
    printf("%x\n", word);
    *(unsigned short *)(bytes + 1) = 0xbeef;
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    void *v = &x;
    *(int *)v += 1;
    printf("%d %d\n", x, v == &x);
    int (*pa)[4] = &grid[1];
    printf("%d %d\n", (*pa)[3], pa[1][0]);
    int *null = 0;
    printf("%d %d\n", null == NULL, !p);
    const char *s = "pointers";
    int n = 0;
    while (*s++)
        n++;
    printf("%d\n", n);
    char *names[] = { "zero", "one", "two", 0 };
    for (char **w = names; *w; w++)
        printf("%s ", *w);
    printf("\n");
    int m3[2][3][2];
    for (int i = 0; i < 12; i++)
        ((int *)m3)[i] = i * i;
    printf("%d %d %d\n", m3[1][2][1], m3[0][1][0], (int)(sizeof m3 / sizeof m3[0][0]));
    unsigned long addr = (unsigned long)&x;
    *(int *)addr = 77;
    printf("%d\n", x);
    return sizeof(ptrdiff_t) == sizeof(void *) ? 0 : 1;
}
