/* Reads operations on bit patterns and prints what the compiler and its C library make of them.
 *
 * usage: reference f32|f64|f80|f128, input on stdin, one case per line:
 *     op A B C N      patterns in hexadecimal, a precision; prints the results in the order of EMIT below
 *     parse TEXT      prints the pattern that strtod and its relatives read
 * Exit status 77: this machine has no such format. */
#define _GNU_SOURCE
#define __STDC_WANT_IEC_60559_BFP_EXT__
#define __STDC_WANT_IEC_60559_TYPES_EXT__
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static char buffer[1 << 17];

static u128 read_hex(const char *s) {
    u128 v = 0;
    for (; *s; s++) v = v << 4 | (u128)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
    return v;
}

static void put(const void *p, size_t n) {
    u128 v = 0;
    memcpy(&v, p, n);
    printf(" %" PRIx64 "_%" PRIx64, (uint64_t)(v >> 64), (uint64_t)v);
}

#define EMIT(e) do { volatile __typeof__(e) r_ = (e); __typeof__(e) q_ = r_; put(&q_, SIZE(q_)); } while (0)
#define SIZE(x) (sizeof(x) == sizeof(long double) && LONG_DOUBLE_PADDED(x) ? 10 : sizeof(x))
#define LONG_DOUBLE_PADDED(x) _Generic((x), long double: 1, default: 0)

/* T type, F(name) a function of that type, SHOW prints one conversion. */
#define DEFINE(NAME, T, F, STRTO, SHOW, ALT)                                                                              \
    static void NAME(const char *line) {                                                                                  \
        static char text[1 << 17], sa[64], sb[64], sc[64];                                                                \
        int n;                                                                                                            \
        if (sscanf(line, "parse %131000s", text) == 1) {                                                                  \
            EMIT((T)STRTO(text, NULL));                                                                                   \
            putchar('\n');                                                                                                \
            return;                                                                                                       \
        }                                                                                                                 \
        if (sscanf(line, "op %60s %60s %60s %d", sa, sb, sc, &n) != 4) exit(2);                                           \
        u128 ua = read_hex(sa), ub = read_hex(sb), uc = read_hex(sc);                                                     \
        volatile T va, vb, vc;                                                                                            \
        memset((void *)&va, 0, sizeof va); memset((void *)&vb, 0, sizeof vb); memset((void *)&vc, 0, sizeof vc);          \
        memcpy((void *)&va, &ua, sizeof va); memcpy((void *)&vb, &ub, sizeof vb); memcpy((void *)&vc, &uc, sizeof vc);    \
        EMIT((T)(va + vb)); EMIT((T)(va - vb)); EMIT((T)(va * vb)); EMIT((T)(va / vb));                                   \
        EMIT((T)F(sqrt)(va)); EMIT((T)F(fma)(va, vb, vc)); EMIT((T)F(fmod)(va, vb)); EMIT((T)F(remainder)(va, vb));       \
        EMIT((T)F(rint)(va)); EMIT((T)F(floor)(va)); EMIT((T)F(ceil)(va)); EMIT((T)F(trunc)(va)); EMIT((T)F(round)(va));  \
        EMIT((T)F(fmin)(va, vb)); EMIT((T)F(fmax)(va, vb));                                                               \
        printf(" %d%d%d", va < vb, va <= vb, va == vb);                                                                   \
        EMIT((float)va); EMIT((double)va);                                                                                \
        if (va > (T)-9e18 && va < (T)9e18) printf(" %" PRId64, (int64_t)va); else printf(" none");                        \
        EMIT((T)(int64_t)(uint64_t)ua); EMIT((T)(i128)ub);                                                                \
        SHOW("f", n, va); SHOW("e", n, va); SHOW("g", n, va); SHOW("a", n, va); SHOW("a", -1, va); SHOW("G", n, va);      \
        if (ALT) { snprintf(buffer, sizeof buffer, ALT, n, va); printf(" %s", buffer); }                                  \
        putchar('\n');                                                                                                    \
    }

#define SHOW_DOUBLE(conversion, n, x) do { double d_ = x; (void)((n) < 0 ? snprintf(buffer, sizeof buffer, "%" conversion, d_) : snprintf(buffer, sizeof buffer, "%.*" conversion, n, d_)); printf(" %s", buffer); } while (0)
#define SHOW_LONG(conversion, n, x) do { long double d_ = x; (void)((n) < 0 ? snprintf(buffer, sizeof buffer, "%L" conversion, d_) : snprintf(buffer, sizeof buffer, "%.*L" conversion, n, d_)); printf(" %s", buffer); } while (0)
#define F32(name) name##f
#define F64(name) name
#define F80(name) name##l

DEFINE(case_f32, float, F32, strtof, SHOW_DOUBLE, "%#.*g")
DEFINE(case_f64, double, F64, strtod, SHOW_DOUBLE, "%#.*g")
DEFINE(case_f80, long double, F80, strtold, SHOW_LONG, "%#.*Lg")

#if defined __GLIBC__ && defined __FLT128_MANT_DIG__ && !defined __clang__
#define F128(name) name##f128
#define SHOW_QUAD(conversion, n, x) do { char f_[32]; _Float128 d_ = x; if ((n) < 0) strcpy(f_, "%" conversion); else snprintf(f_, sizeof f_, "%%.%d" conversion, n); strfromf128(buffer, sizeof buffer, f_, d_); printf(" %s", buffer); } while (0)
DEFINE(case_f128, _Float128, F128, strtof128, SHOW_QUAD, (const char *)0)
#define HAS_QUAD 1
#else
#define HAS_QUAD 0
#endif

int main(int argc, char **argv) {
    static char line[1 << 17];
    void (*run)(const char *) = NULL;
    if (argc != 2) return 2;
    if (!strcmp(argv[1], "f32")) run = case_f32;
    if (!strcmp(argv[1], "f64")) run = case_f64;
    if (!strcmp(argv[1], "f80") && LDBL_MANT_DIG == 64) run = case_f80;
#if HAS_QUAD
    if (!strcmp(argv[1], "f128")) run = case_f128;
#endif
    if (!run) return 77;
    while (fgets(line, sizeof line, stdin)) run(line);
    return 0;
}
