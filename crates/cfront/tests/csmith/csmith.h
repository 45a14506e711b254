/* The runtime that programs of csmith are generated for: arithmetic without undefined behaviour (given -fwrapv) and a checksum. */
#include <stdint.h>

extern int printf(const char *, ...);

#define ARITHMETIC(T, S, ARG, MIN, SIGNED)                                                                                         \
    static T safe_unary_minus_func_##T##_##ARG(T a) { return -a; }                                                                \
    static T safe_add_func_##T##_##ARG##_##ARG(T a, T b) { return a + b; }                                                        \
    static T safe_sub_func_##T##_##ARG##_##ARG(T a, T b) { return a - b; }                                                        \
    static T safe_mul_func_##T##_##ARG##_##ARG(T a, T b) { return a * b; }                                                        \
    static T safe_div_func_##T##_##ARG##_##ARG(T a, T b) { return b == 0 || (SIGNED && a == MIN && b == (T)-1) ? a : a / b; }     \
    static T safe_mod_func_##T##_##ARG##_##ARG(T a, T b) { return b == 0 || (SIGNED && a == MIN && b == (T)-1) ? a : a % b; }     \
    static T safe_lshift_func_##T##_##ARG##_s(T a, int n) { return a < 0 || n < 0 || n >= (int)(8 * sizeof(T)) ? a : a << n; }    \
    static T safe_rshift_func_##T##_##ARG##_s(T a, int n) { return a < 0 || n < 0 || n >= (int)(8 * sizeof(T)) ? a : a >> n; }    \
    static T safe_lshift_func_##T##_##ARG##_u(T a, unsigned n) { return a < 0 || n >= 8 * sizeof(T) ? a : a << n; }               \
    static T safe_rshift_func_##T##_##ARG##_u(T a, unsigned n) { return a < 0 || n >= 8 * sizeof(T) ? a : a >> n; }

ARITHMETIC(int8_t, 1, s, INT8_MIN, 1)
ARITHMETIC(int16_t, 1, s, INT16_MIN, 1)
ARITHMETIC(int32_t, 1, s, INT32_MIN, 1)
ARITHMETIC(int64_t, 1, s, INT64_MIN, 1)
ARITHMETIC(uint8_t, 0, u, 0, 0)
ARITHMETIC(uint16_t, 0, u, 0, 0)
ARITHMETIC(uint32_t, 0, u, 0, 0)
ARITHMETIC(uint64_t, 0, u, 0, 0)

#define FLOATING(T, ARG)                                                                                                           \
    static T safe_add_func_##T##_##ARG##_##ARG(T a, T b) { return a + b; }                                                        \
    static T safe_sub_func_##T##_##ARG##_##ARG(T a, T b) { return a - b; }                                                        \
    static T safe_mul_func_##T##_##ARG##_##ARG(T a, T b) { return a * b; }                                                        \
    static T safe_div_func_##T##_##ARG##_##ARG(T a, T b) { return b == 0 ? a : a / b; }

FLOATING(float, f)
FLOATING(double, d)

static int32_t safe_convert_func_float_to_int32_t(float a) { return a > -2e9f && a < 2e9f ? (int32_t)a : 0; }

static uint32_t crc32_tab[256];
static uint32_t crc32_context = 0xFFFFFFFFUL;

static void crc32_gentab(void)
{
    uint32_t i, bit, r;
    for (i = 0; i < 256; i++) {
        r = i;
        for (bit = 0; bit < 8; bit++)
            r = r & 1 ? (r >> 1) ^ 0xEDB88320UL : r >> 1;
        crc32_tab[i] = r;
    }
}

static void crc32_byte(uint8_t b)
{
    crc32_context = (crc32_context >> 8) ^ crc32_tab[(crc32_context ^ b) & 0xFF];
}

static void transparent_crc(uint64_t val, char *name, int flag)
{
    int i;
    for (i = 0; i < 8; i++)
        crc32_byte((uint8_t)(val >> (8 * i)));
#ifdef CSMITH_TRACE
    printf("%s = %llX\n", name, (unsigned long long)val);
#endif
}

static void transparent_crc_bytes(char *ptr, int n, char *name, int flag)
{
    int i;
    for (i = 0; i < n; i++)
        crc32_byte((uint8_t)ptr[i]);
#ifdef CSMITH_TRACE
    printf("%s:", name);
    for (i = 0; i < n; i++)
        printf(" %02X", (unsigned)(uint8_t)ptr[i]);
    printf("\n");
#endif
}

static void platform_main_begin(void) {}

static void platform_main_end(uint32_t crc, int flag)
{
    printf("checksum = %X\n", crc ^ 0xFFFFFFFFUL);
}
