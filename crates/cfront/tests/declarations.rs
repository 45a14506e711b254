//! Declarations: specifiers, declarators, records, initialisers, functions, and the scope of typedef names.

mod support;

use plumb_cfront::ast::{Derived, ExternalDecl, Params, Storage};
use support::{decl, error, parsed};

/// The print of the declaration is the declaration.
fn same(text: &str) {
    assert_eq!(decl(text), text);
}

#[test]
fn type_keywords_in_any_order() {
    assert_eq!(
        decl("long unsigned x; int short y; unsigned z; long int long w;"),
        "unsigned long x; short y; unsigned int z; long long w;"
    );
    assert_eq!(
        decl("double long a; char signed b; __signed__ c; _Complex d; float _Complex e; _Complex int f;"),
        "long double a; signed char b; int c; _Complex double d; _Complex float e; _Complex int f;"
    );
    assert_eq!(
        decl("unsigned __int128 a; __int128_t b; __uint128_t c; _Float128 d; __float128 e;"),
        "unsigned __int128 a; __int128 b; unsigned __int128 c; _Float128 d; _Float128 e;"
    );
    same("_Float16 a; _Float32 b; _Float64 c; _Float32x d; _Float64x e; __float80 f; __builtin_va_list g; _Bool h; _Decimal64 i;");
    assert!(error("long short x;").ends_with("these type specifiers do not combine"));
    assert!(error("unsigned double x;").ends_with("these type specifiers do not combine"));
    assert!(error("long long long x;").starts_with("t.c:1:11: error: 'long' does not combine"));
    assert!(error("struct s int x;").starts_with("t.c:1:10: error: two types"));
}

#[test]
fn derivations_apply_from_the_base_outwards() {
    same("int *a[3];");
    same("int (*a)[3];");
    same("int *(*f(int x))(void);");
    same("char *(*(*x[3])(int *, ...))[5];");
    same("int f(), (*g)(void), h[2][3];");
    same("void (*signal(int sig, void (*func)(int)))(int);");
    assert_eq!(decl("int ((x)), *(y), (*(z));"), "int x, *y, *z;");
    assert_eq!(
        decl("int f(int (int), int (x), int (*)(int), int [3], int *[]);"),
        "int f(int (int), int x, int (*)(int), int [3], int *[]);"
    );
    let parsed = parsed("int *a[3];");
    let ExternalDecl::Decl(decl) = &parsed.unit.items[0] else { panic!() };
    assert!(matches!(decl.declarators[0].declarator.derived[..], [Derived::Pointer { .. }, Derived::Array { .. }]));
}

#[test]
fn parameters() {
    same("int f(int a[static const 3], int b[*], int c[], register int d, int n, int v[n]);");
    same("int f(void);");
    same("int f();");
    assert_eq!(
        decl("typedef int T; int f(T); int g(int T); int h(T T, int (T));"),
        "typedef int T; int f(T); int g(int T); int h(T T, int T);"
    );
    assert_eq!(decl("typedef int T; int f(int (T), unsigned T);"), "typedef int T; int f(int (T), unsigned int T);");
    assert_eq!(decl("int f(const void *restrict p, int volatile * const q);"), "int f(const void *__restrict p, volatile int *const q);");
    assert_eq!(decl("int f(...);"), "int f(...);");
    assert_eq!(error("int f(foo x);"), "t.c:1:7: error: 'foo' is not a known type");
    assert_eq!(error("int f(int x, foo y);"), "t.c:1:14: error: 'foo' is not a known type");
    assert_eq!(error("int f(int x, __extension__ y);"), "t.c:1:28: error: 'y' is not a known type");
    assert_eq!(error("struct s { __extension__ y; };"), "t.c:1:26: error: expected the type of a member before 'y'");
}

#[test]
fn old_style() {
    assert_eq!(decl("f(a, b) char *a; { return b; }"), "f(a, b) char *a; { return b; }");
    assert_eq!(decl("main() { }"), "main() { }");
    assert_eq!(decl("static x; const y = 1; *p; extern z();"), "static x; const y = 1; *p; extern z();");
    let parsed = parsed("int f(a, b) int a; double b; { return a; }");
    assert_eq!(parsed.function().old_params.len(), 2);
    assert!(matches!(parsed.function().params(), Some(Params::Names(names)) if names.len() == 2));
    assert_eq!(error("foo x;"), "t.c:1:1: error: 'foo' is not a known type");
}

#[test]
fn typedef_names_follow_scope() {
    same("typedef int T; T x; void f(void) { T *y; { int T; (T * x); } T z; }");
    same("typedef int T; void f(int T) { (T * 2); } void g(void) { T *p; }");
    same("typedef int T; void f(void) { T T = 1; (T = 2); }");
    same("typedef struct T T; struct T { T *next; int T; }; T *q;");
    same("typedef int T; void f(void) { for (T T = 0; T;) { (T++); } T x; }");
    same("typedef int T; void f(void) { enum { T }; (T + 1); }");
    same("typedef int T; void f(void) { T: goto T; }");
    same("typedef int T; void f(void) { extern int T; (T * T); }");
    assert_eq!(decl("typedef int T; void f(T) int T; { T * 2; }"), "typedef int T; void f(T) int T; { (T * 2); }");
    same("typedef int A, *B; B f(A a) { struct B { A A; } b; return b.A; }");
    same("void f(void) { typedef int T; T x; } int T;");
}

#[test]
fn records_and_enumerations() {
    same("struct s { int a, *b; unsigned int c : 3, : 0; struct { int d; }; union { int e; float f; } u; char g[]; };");
    same("union u;");
    same("struct { } x;");
    same("enum e { A, B = (A + 1), C }; enum e x; enum { D = 3 } y;");
    assert_eq!(decl("enum { A, B, };"), "enum { A, B };");
    same("struct s { _Static_assert(1, \"m\"); int x; };");
    assert_eq!(decl("struct s { int x; ; __extension__ long long y; int z };"), "struct s { int x; long long y; int z; };");
    assert!(error("struct s { int static x; };").starts_with("t.c:1:12: error: a member cannot have a storage class"));
    assert_eq!(error("struct;"), "t.c:1:7: error: expected a tag or '{' before ';'");
    assert_eq!(error("struct s { foo x; };"), "t.c:1:12: error: expected the type of a member before 'foo'");
}

#[test]
fn pragma_pack_is_known_at_the_closing_brace() {
    let text = "struct a { int x; };\n#pragma pack(push, 1)\nstruct b { int x; };\n#pragma pack(2)\nstruct c { int x;\n#pragma pack(4)\n};\n\
                #pragma pack(pop)\nstruct d { int x; }\n#pragma pack(8)\n;\nstruct e { int x; };\n#pragma pack()\nstruct f { int x; };\n\
                _Pragma(\"pack(push, here, 1)\") struct g { int x; };\n#pragma pack(push)\n#pragma pack(2)\n#pragma pack(pop, here)\nstruct h { int x; };";
    let parsed = parsed(text);
    let packs: Vec<String> = format!("{:?}", parsed.unit)
        .match_indices("pack: ")
        .map(|(at, _)| at)
        .map(|at| {
            let text = format!("{:?}", parsed.unit);
            text[at + 6..].split([' ', ',']).next().unwrap().to_owned()
        })
        .collect();
    assert_eq!(packs, ["None", "Some(1)", "Some(4)", "None", "Some(8)", "None", "Some(1)", "None"]);
    assert!(error("#pragma pack(3)\nint x;").contains("3 is not an alignment"));
    assert!(error("#pragma scalar_storage_order big-endian\n").contains("unsupported"));
}

#[test]
fn initialisers() {
    same("int a[] = { 1, 2, { 3 }, [4] = 5, [6 ... 7] = 8, [1][2].x = 9 };");
    assert_eq!(decl("struct s x = { a: 1, .b = 2, [0] 3, };"), "struct s x = { .a = 1, .b = 2, [0] = 3 };");
    same("int x = { };");
    same("char s[] = \"ab\", *t = (char *)&x;".replace("(char *)&x", "((char *)(&x))").as_str());
    assert_eq!(error("int x[] = { .a.b 3 };"), "t.c:1:18: error: expected '=' before '3'");
}

#[test]
fn specifiers_attributes_and_labels() {
    same("static inline _Noreturn void f(void);");
    same("extern __thread int x; _Alignas(16) _Alignas(double) int y; _Atomic int z; _Atomic(int *) w;");
    same("__typeof__(int *) x; __typeof__((x + 1)) y;");
    assert_eq!(decl("typeof(x) y; __auto_type z = 1;"), "__typeof__(x) y; __auto_type z = 1;");
    assert_eq!(decl("void f(void) { register int x asm(\"e\" \"ax\"); }"), "void f(void) { register int x asm(\"eax\"); }");
    assert_eq!(
        decl("int f(void) __asm__(\"g\") __attribute__((__noreturn__, cold)) __attribute__(());"),
        "int f(void) asm(\"g\") __attribute__((noreturn)) __attribute__((cold));"
    );
    assert_eq!(
        decl("struct __attribute__((packed)) s { int x __attribute__((aligned(4))); } __attribute__((transparent_union)) y;"),
        "struct __attribute__((packed)) __attribute__((transparent_union)) s { int x __attribute__((aligned(4))); } y;"
    );
    assert_eq!(
        decl("typedef int V __attribute__((vector_size(16))), W __attribute__((__mode__(__DI__)));"),
        "typedef int V __attribute__((vector_size(16))), W __attribute__((mode(__DI__)));"
    );
    assert_eq!(
        decl("int __attribute__((const)) (__attribute__((x)) *f)(int a __attribute__((unused)));"),
        "__attribute__((const)) int (*f)(int a __attribute__((unused))) __attribute__((x));"
    );
    assert_eq!(
        decl("int a, __attribute__((section(\"s\"))) b; void * __attribute__((x)) const p;"),
        "int a, b __attribute__((section(\"s\"))); void *const __attribute__((x)) p;"
    );
    assert_eq!(
        decl("enum e { A __attribute__((deprecated)) = 1 } __attribute__((packed));"),
        "enum __attribute__((packed)) e { A __attribute__((deprecated)) = 1 };"
    );
    assert_eq!(
        decl("typedef int T; int x __attribute__((a(T), b(T *), c(printf, 1, 2)));"),
        "typedef int T; int x __attribute__((a(T))) __attribute__((b(T *))) __attribute__((c(printf, 1, 2)));"
    );
    let parsed = parsed("static int x;");
    assert!(matches!(&parsed.unit.items[0], ExternalDecl::Decl(decl) if decl.specs.storage == Storage::Static));
    assert!(error("static extern int x;").starts_with("t.c:1:8: error: two storage classes"));
    assert!(error("int x = sizeof(int typedef);").contains("storage class"));
}

#[test]
fn file_scope_odds_and_ends() {
    same("asm (\"nop\");");
    same("_Static_assert(1, \"m\"); _Static_assert(1);");
    assert_eq!(decl(";;int x;;__attribute__(());__extension__;__extension__ asm(\"nop\");"), "int x; asm (\"nop\");");
    assert_eq!(decl("__extension__ typedef struct { long long int quot; } lldiv_t;"), "typedef struct { long long quot; } lldiv_t;");
    assert_eq!(error("int f(void) { int g(void) { return 1; } return g(); }"), "t.c:1:15: unsupported: a function within a function");
    assert_eq!(error("}"), "t.c:1:1: error: expected a declaration before '}'");
    assert_eq!(error("int f(void) {\n  x;\n"), "t.c:1:13: error: this '{' is never closed");
}

#[test]
fn function_definitions_know_name_and_closing_brace() {
    let parsed = parsed("static int\n  (*name(void))(int)\n{\n  return 0;\n }");
    let function = parsed.function();
    let name = function.name().unwrap();
    assert_eq!((name.span.line, name.span.col), (2, 5));
    assert_eq!((function.span.line, function.span.col), (1, 1));
    assert_eq!((function.body.span.line, function.body.span.col), (3, 1));
    assert_eq!((function.body.close.line, function.body.close.col), (5, 2));
    assert!(matches!(function.params(), Some(Params::Prototype { params, variadic: false }) if params.is_empty()));
}
