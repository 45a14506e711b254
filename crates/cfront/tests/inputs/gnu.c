/* GNU C and C11 in one file that gcc compiles: what tests/roundtrip.rs prints and compiles again. */
typedef int v4si __attribute__ ((vector_size (16)));
typedef unsigned long ul; 
struct S { int a; union { int b; float c; }; int fl[]; };
struct P { char c; int x; } __attribute__((packed));
#pragma pack(push, 2)
struct Q { char c; int x; double d; };
#pragma pack(pop)
int sq = sizeof(struct Q) + sizeof(struct P);
static int zero[0];
enum __attribute__((packed)) small { A1, A2 = 100 };
int es = sizeof(enum small);
extern int al(int) __attribute__((alias("real")));
int real(int x) { return x ?: 7; }
__thread int tl = 3; static _Thread_local long tl2;
int knr(a, b, c) char a; short *b; float c; { return a + *b + c; }
imp(x) { return x; }
void *disp(int i) { static void *tab[] = { &&l0, &&l1, [2 ... 4] = &&l1 }; goto *tab[i]; l0: return 0; l1: return tab; }
int sw(int x) { switch (x) { case 1 ... 3: return 1; case 'a': __attribute__((fallthrough)); case 10: { int y; case 11: y = 3; return y; } default: ; } return 0; }
long dbl(int x) { int y; asm volatile ("addl %[in], %0\n\t" : "=r" (y) : [in] "g" (x), "0" (x) : "cc", "memory"); return y; }
int ag(int x) { asm goto ("" : : "r" (x) : "memory" : out, out2); return 0; out: return 1; out2: return 2; }
asm(".section .note.x,\"\",@progbits\n.previous");
register unsigned long spx asm("rsp");
int gen(float f) { return _Generic(f, int: 1, float: 2, default: 3) + _Generic((char*)0, char *: 10, const char *: 20); }
int st(int n) { int vla[n][n+1]; return sizeof vla + sizeof(int[n]) + __builtin_offsetof(struct S, fl[3]) + _Alignof(double) + __alignof__(vla); }
__int128 big(unsigned __int128 a) { return a * 3 + (__int128)-1; }
_Complex double cx(_Complex float z) { return __real__ z + __imag__ z * 2.0i + ~z; }
int se(int a) { return ({ __label__ q; int r = a; if (r) goto q; r = 5; q: r; }) + ({ __auto_type t = a; typeof(t) u = t; u; }); }
struct S cl(void) { return (struct S){ .a = 1, .c = 2.5f }; }
int *pl(void) { int *p = (int[]){ 1, 2, [5] = 3 }; return p; }
struct S old = { a: 3, b: 4 };
struct { int m[3][2]; struct { char *n; } o[2]; } des = { .m[1][0] = 5, 6, .o[1].n = "x" "y" };
wchar() { return L'\x41' + sizeof(L"ab" "c") + sizeof u"x" + sizeof(U"xyz") + sizeof u8"é" + 'ab' + '\377' + '\e'; }
int vf(const char *f, ...) { __builtin_va_list ap; __builtin_va_start(ap, f); int r = __builtin_va_arg(ap, int) + (int)__builtin_va_arg(ap, double); __builtin_va_end(ap); return r; }
int ch(int x) { return __builtin_choose_expr(__builtin_types_compatible_p(typeof(x), int), x, (void)0) + __builtin_constant_p(x) + __builtin_expect(!!(x), 1); }
v4si vadd(v4si a, v4si b) { return a + b * (v4si){1,2,3,4}; }
_Noreturn void die(void) { for (;;) ; }
static inline __attribute__((always_inline)) int inl(register int x) { return x << 1 >> 2; }
_Static_assert(sizeof(int) == 4, "int"); _Static_assert(1);
_Alignas(32) int aligned_x; _Atomic int at; _Atomic(long) at2; int * _Atomic ap; int *const volatile restrict_p;
int arr(int n, int a[static 3], int b[const], int c[n][n], int (*fp)(int, int (*)(void)), int d[], int (q)) { return a[0] + b[1] + 2[a] + fp(1, 0) + q + c[1][1]; }
int (*(*fpp(int k))[3])(char) { return 0; }
typedef int T; int shadow(int T) { { typedef char T; T x = 1; (void)x; } return T * 2 - (T) - 1; } T after;
int bits(struct { unsigned a : 3; int : 0; signed b : 5; } *p) { return p->a + p->b; }
double fl(void) { return 0x1.8p3 + 1e-3f + .5L + 1.f + 0x.8p0 + 1.0F128 + 3e2w; }
int nums(void) { return 0b101 + 0777 + 0xFFul + 10LLU + 0 + 00; }
void ctor(void) __attribute__((constructor, used)); void ctor(void) { } 
int sec __attribute__((section(".mysec"), aligned(64))) = 1;
typedef union { int *i; void *v; } tu __attribute__((transparent_union)); int tuf(tu u) { return *u.i; }
typedef int di __attribute__((mode(DI))); int dis = sizeof(di);
int tern(int a, int b) { return a ? b, 1 : b ? 2 : 3; } 
int comma(int a) { for (int i = 0, j = 1; i < a; i++, j--) { if (i) continue; else break; } do a--; while (a > 0); return a, a + 1; }
int dang(int a, int b) { if (a) if (b) return 1; else return 2; return 3; }
__extension__ typedef long long ll; const static volatile ll q1 = 3; int unsigned long typedef weird; weird w1;
int f_attr(int x __attribute__((unused)), int (__attribute__((noinline)) *p)(void)) { int y __attribute__((aligned(16))) = x, *z = &y; return *z; }
void lbl(void) { goto end; end: __attribute__((unused)); }
int emp(void) { struct {} e; return sizeof e; }
char *fn(void) { return (char *)__func__ ; } const char *fn2(void) { return __PRETTY_FUNCTION__; }
int neg(int x) { return - -x + - - -x + +x - ~-!x + (x)-(1) & (x) + *&x; }
