/* GNU extensions and C11. */
#include <stdio.h>
#include <stddef.h>

#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define kind(x) _Generic((x), int: "int", unsigned: "unsigned", double: "double", char *: "char *", default: "other")

struct op { int code, arg; };
_Static_assert(sizeof(int) == 4, "int has four bytes");

static int run(const struct op *ops)
{
    static const void *const labels[] = { &&stop, &&push, &&add, &&mul, &&jump };
    int stack[16], sp = 0, pc = 0;
    goto *labels[ops[pc].code];
push:
    stack[sp++] = ops[pc++].arg;
    goto *labels[ops[pc].code];
add:
    sp--;
    stack[sp - 1] += stack[sp];
    pc++;
    goto *labels[ops[pc].code];
mul:
    sp--;
    stack[sp - 1] *= stack[sp];
    pc++;
    goto *labels[ops[pc].code];
jump:
    pc = ops[pc].arg;
    goto *labels[ops[pc].code];
stop:
    return stack[0];
}

static int vla(int n)
{
    int a[n], m[n][n + 1];
    for (int i = 0; i < n; i++) {
        a[i] = i;
        for (int j = 0; j <= n; j++)
            m[i][j] = i * j;
    }
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] + m[i][n];
    return s + (int)(sizeof a / sizeof a[0]) + (int)(sizeof m / sizeof m[0]);
}

static int stack_alloc(int n)
{
    int total = 0;
    for (int i = 1; i <= n; i++) {
        char *p = __builtin_alloca(i);
        for (int j = 0; j < i; j++)
            p[j] = j;
        total += p[i - 1];
    }
    return total;
}

static int ternary(int x) { return x ?: -1; }
static inline __attribute__((always_inline)) int inl(int x) { return x + 1; }
static int ranged[10] = { [0 ... 4] = 1, [5 ... 9] = 2 };

int main(void)
{
    int i = 3;
    printf("%d ", max(i++, 2));
    printf("%d\n", i);
    printf("%s %s %s %s %s\n", kind(1), kind(1u), kind(1.0), kind("s" + 0), kind(1L));
    struct op prog[] = { { 1, 6 }, { 4, 3 }, { 1, 100 }, { 1, 7 }, { 3, 0 }, { 1, 1 }, { 2, 0 }, { 0, 0 } };
    printf("%d\n", run(prog));
    printf("%d %d %d\n", vla(4), vla(7), stack_alloc(9));
    printf("%d %d %d\n", ternary(0), ternary(5), inl(4));
    int s = 0;
    for (int k = 0; k < 10; k++)
        s = s * 3 + ranged[k];
    printf("%d\n", s);
    __auto_type d = 2.5;
    printf("%g\n", d);
    printf("%d %d %d %d\n", __builtin_popcount(0xff0f), __builtin_clz(1u << 20), __builtin_ctz(1u << 20), __builtin_ffs(0));
    printf("%x %d\n", __builtin_bswap32(0x12345678), __builtin_expect(i, 1) ? 1 : 0);
    int r;
    printf("%d", __builtin_add_overflow(2147483647, i, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(1000, 1000, &r));
    printf(" %d\n", r);
    printf("%s %zu\n", __func__, _Alignof(double) >= 4 ? (size_t)1 : (size_t)0);
    int *lit = (int[]){ 1, 2, 3 };
    printf("%d\n", lit[2]);
    struct empty {} e;
    (void)e;
    printf("%d %d\n", (int)sizeof(struct empty), (int)sizeof(int[0]));
    {
        __label__ done;
        if (i)
            goto done;
        printf("skipped\n");
    done:
        printf("done\n");
    }
    printf("%d\n", ({ int q = 0; while (q < 5) q += 2; q; }));
    typeof(i) copy = i;
    const volatile int cv = 9;
    printf("%d %d\n", copy, cv);
    printf("%d\n", __builtin_constant_p(3) ? 1 : 0);
    wchar_t w[] = L"wide";
    printf("%d %d\n", (int)(sizeof w / sizeof *w), (int)w[1]);
    printf("%d %lld\n", 0b1011, 10 ? 5LL : 6LL);
    return 0;
}
