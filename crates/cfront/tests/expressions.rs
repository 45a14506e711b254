//! Expressions: structure, GNU forms, and what is refused.

mod support;

use support::{error, expr, parsed};

#[test]
fn precedence_and_associativity() {
    assert_eq!(expr("a + b * c"), "(a + (b * c))");
    assert_eq!(expr("a - b - c"), "((a - b) - c)");
    assert_eq!(expr("a = b = c"), "(a = (b = c))");
    assert_eq!(expr("a || b && c | a ^ b & c == a < b << c + a * b"), "(a || (b && (c | (a ^ (b & (c == (a < (b << (c + (a * b))))))))))");
    assert_eq!(expr("a * b + c << a < b == c & a ^ b | c && a || b"), "((((((((((a * b) + c) << a) < b) == c) & a) ^ b) | c) && a) || b)");
    assert_eq!(expr("a % b / c >= a != b > c <= a >> b"), "((((a % b) / c) >= a) != ((b > c) <= (a >> b)))");
    assert_eq!(expr("a ? b : c ? a : b"), "(a ? b : (c ? a : b))");
    assert_eq!(expr("a ? b, c : a"), "(a ? (b, c) : a)");
    assert_eq!(expr("a, b, c = a, b"), "(a, b, (c = a), b)");
    assert_eq!(expr("-a++"), "(-(a++))");
    assert_eq!(expr("!~+-*&a--"), "(!(~(+(-(*(&(a--)))))))");
    assert_eq!(expr("- --a"), "(-(--a))");
    assert_eq!(expr("(1).x"), "(1).x");
    assert_eq!(expr("a+++b"), "((a++) + b)");
    assert_eq!(expr("a[b][c](a, b)->x.y++"), "(a[b][c](a, b)->x.y++)");
    assert_eq!(
        expr("a += b -= c *= a /= b %= c <<= a >>= b &= c |= a ^= b"),
        "(a += (b -= (c *= (a /= (b %= (c <<= (a >>= (b &= (c |= (a ^= b))))))))))"
    );
}

#[test]
fn casts_sizes_and_compound_literals() {
    assert_eq!(expr("(T)a"), "((T)a)");
    assert_eq!(expr("(a)(b)"), "a(b)");
    assert_eq!(expr("(T)(a)[b]"), "((T)a[b])");
    assert_eq!(expr("(T)-a"), "((T)(-a))");
    assert_eq!(expr("(a)-b"), "(a - b)");
    assert_eq!(expr("(T)*a"), "((T)(*a))");
    assert_eq!(expr("(a)*b"), "(a * b)");
    assert_eq!(expr("(T)&a"), "((T)(&a))");
    assert_eq!(expr("sizeof(T)"), "sizeof(T)");
    assert_eq!(expr("sizeof(T)*a"), "(sizeof(T) * a)");
    assert_eq!(expr("sizeof a * b"), "((sizeof a) * b)");
    assert_eq!(expr("sizeof(a)[b]"), "(sizeof a[b])");
    assert_eq!(expr("sizeof(int[]){1,2}[0]"), "(sizeof (int []){ 1, 2 }[0])");
    assert_eq!(expr("(struct s){.x = 1}.x"), "(struct s){ .x = 1 }.x");
    assert_eq!(expr("_Alignof(int) + __alignof__(double) + __alignof a"), "((_Alignof(int) + __alignof__(double)) + (__alignof__ a))");
    assert_eq!(expr("(int (*)(void))a"), "((int (*)(void))a)");
    assert_eq!(expr("(int (*(*)[3])(int, ...))a"), "((int (*(*)[3])(int, ...))a)");
    assert_eq!(expr("(__attribute__((aligned(8))) int)a"), "((__attribute__((aligned(8))) int)a)");
    assert_eq!(expr("a * (T)b"), "(a * ((T)b))");
}

#[test]
fn gnu_expressions() {
    assert_eq!(expr("a ?: b"), "(a ? : b)");
    assert_eq!(expr("&&L"), "(&&L)");
    assert_eq!(expr("a && L"), "(a && L)");
    assert_eq!(expr("({ int x = a; x; })"), "({ int x = a; x; })");
    assert_eq!(expr("__extension__ a + __extension__ (b)"), "(a + b)");
    assert_eq!(expr("__extension__ ({ 1; })"), "({ 1; })");
    assert_eq!(expr("__real__ a + __imag b"), "((__real__ a) + (__imag__ b))");
    assert_eq!(expr("__builtin_va_arg(a, int *)"), "__builtin_va_arg(a, int *)");
    assert_eq!(expr("__builtin_offsetof(struct s, x.y[a].z)"), "__builtin_offsetof(struct s, x.y[a].z)");
    assert_eq!(expr("__builtin_types_compatible_p(T, const char *)"), "__builtin_types_compatible_p(T, const char *)");
    assert_eq!(expr("__builtin_choose_expr(1, a, b)"), "__builtin_choose_expr(1, a, b)");
    assert_eq!(expr("__builtin_expect(a, 1)"), "__builtin_expect(a, 1)");
    assert_eq!(expr("__builtin_convertvector(a, T)"), "__builtin_convertvector(a, T)");
    assert_eq!(expr("_Generic(a, int: 1, T *: 2, default: 3)"), "_Generic(a, int: 1, T *: 2, default: 3)");
    assert_eq!(expr("_Generic(int, int: 1)"), "_Generic(int, int: 1)");
}

#[test]
fn calls_know_their_parentheses() {
    let parsed = parsed("int f(void) {\n  return g(1,\n   h( 2 ) );\n}");
    let text = format!("{:?}", parsed.function().body);
    assert!(text.contains("rparen: Span { file: FileId(0), line: 3, col: 9 }"), "{text}");
    assert!(text.contains("rparen: Span { file: FileId(0), line: 3, col: 11 }"), "{text}");
}

#[test]
fn wrong_expressions_are_located() {
    assert_eq!(error("int x = 1 + ;"), "t.c:1:13: error: expected an expression before ';'");
    assert_eq!(error("int x = (1;"), "t.c:1:11: error: expected ')' before ';'");
    assert_eq!(error("int x = f(1,);"), "t.c:1:13: error: expected an expression before ')'");
    assert_eq!(error("int x = a.1;"), "t.c:1:10: error: expected ',' or ';' before '.1'");
    assert_eq!(error("int x = sizeof(static int);"), "t.c:1:16: error: expected an expression before 'static'");
    assert_eq!(error("typedef int T; int x = 1 + T;"), "t.c:1:28: error: expected an expression before 'T'");
    assert_eq!(error("int x = 1"), "t.c:1:10: error: expected ',' or ';' before the end of the file");
    assert_eq!(error("void f(void) { foo x; }"), "t.c:1:16: error: 'foo' is not a known type");
}
