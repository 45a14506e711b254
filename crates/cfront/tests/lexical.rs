//! Tokens: literals, spellings, comments, continuations, line markers.

mod support;

use plumb_cfront::ast::{BlockItem, CharConst, Encoding, ExprKind, FloatSuffix, IntBase, IntSize, StmtKind};
use support::{decl, error, expr, parsed, try_parse};

fn literal(text: &str) -> ExprKind {
    let parsed = parsed(&format!("void f(void) {{ {text}; }}"));
    match &parsed.function().body.items[..] {
        [BlockItem::Stmt(stmt)] => match &stmt.kind {
            StmtKind::Expr(expr) => expr.kind.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn character(text: &str) -> (i64, Encoding) {
    match literal(text) {
        ExprKind::Char(CharConst { value, encoding }) => (value, encoding),
        other => panic!("{other:?}"),
    }
}

fn units(text: &str) -> (Vec<u32>, Encoding) {
    match literal(text) {
        ExprKind::Str(string) => (string.units().collect(), string.encoding),
        other => panic!("{other:?}"),
    }
}

#[test]
fn integers() {
    let check = |text: &str, value: u128, base: IntBase, unsigned: bool, size: IntSize, imaginary: bool| match literal(text) {
        ExprKind::Int(int) => {
            assert_eq!((int.value, int.base, int.unsigned, int.size, int.imaginary), (value, base, unsigned, size, imaginary), "{text}");
        }
        other => panic!("{text}: {other:?}"),
    };
    check("0", 0, IntBase::Octal, false, IntSize::Plain, false);
    check("42", 42, IntBase::Decimal, false, IntSize::Plain, false);
    check("0x2aUL", 42, IntBase::Hex, true, IntSize::Long, false);
    check("052llu", 42, IntBase::Octal, true, IntSize::LongLong, false);
    check("0b101010LL", 42, IntBase::Binary, false, IntSize::LongLong, false);
    check("18446744073709551615ull", u128::from(u64::MAX), IntBase::Decimal, true, IntSize::LongLong, false);
    check("0xffffffffffffffffffffffffffffffff", u128::MAX, IntBase::Hex, false, IntSize::Plain, false);
    check("3i", 3, IntBase::Decimal, false, IntSize::Plain, true);
    check("0xe", 14, IntBase::Hex, false, IntSize::Plain, false);
    for wrong in ["08", "0x", "0b2", "1lL", "1lll", "1uu", "1f", "12ab", "0xfg", "1_0"] {
        assert!(error(&format!("int x = {wrong};")).ends_with(&format!("error: '{wrong}' is not a number")), "{wrong}");
    }
    assert!(error("int x = 0x100000000000000000000000000000000;").contains("does not fit"));
}

#[test]
fn floats() {
    let check = |text: &str, digits: &str, suffix: FloatSuffix, imaginary: bool| match literal(text) {
        ExprKind::Float(float) => assert_eq!((&*float.text, float.suffix, float.imaginary), (digits, suffix, imaginary), "{text}"),
        other => panic!("{text}: {other:?}"),
    };
    check("1.5", "1.5", FloatSuffix::None, false);
    check(".5f", ".5", FloatSuffix::F, false);
    check("5.L", "5.", FloatSuffix::L, false);
    check("1e10", "1e10", FloatSuffix::None, false);
    check("09.5E-3f", "09.5E-3", FloatSuffix::F, false);
    check("0x1.8p+3", "0x1.8p+3", FloatSuffix::None, false);
    check("0x.1P-4f", "0x.1P-4", FloatSuffix::F, false);
    check("1.0if", "1.0", FloatSuffix::F, true);
    check("1.0i", "1.0", FloatSuffix::None, true);
    check("1.0F128", "1.0", FloatSuffix::F128, false);
    check("1.0q", "1.0", FloatSuffix::F128, false);
    check("1.0f64x", "1.0", FloatSuffix::F64x, false);
    check("1dd", "1", FloatSuffix::Dd, false);
    for wrong in ["1e", "1e+", "0x1.8", "1.0ff", "1.2.3", "0x.p1"] {
        assert!(error(&format!("double x = {wrong};")).ends_with(&format!("error: '{wrong}' is not a number")), "{wrong}");
    }
}

#[test]
fn characters() {
    assert_eq!(character("'a'"), (97, Encoding::Plain));
    assert_eq!(character("'\\n'").0, 10);
    assert_eq!(character("'\\''").0, 39);
    assert_eq!(character("'\"'").0, 34);
    assert_eq!(character("'\\0'").0, 0);
    assert_eq!(character("'\\377'").0, -1);
    assert_eq!(character("'\\xff'").0, -1);
    assert_eq!(character("'\\e'").0, 27);
    assert_eq!(character("'ab'").0, 0x6162);
    assert_eq!(character("'\\377\\377\\377\\377'").0, -1);
    assert_eq!(character("'ä'").0, 0xC3A4);
    assert_eq!(character("L'ä'"), (0xE4, Encoding::Wide));
    assert_eq!(character("L'\\xffffffff'").0, -1);
    assert_eq!(character("u'\\uffff'"), (0xFFFF, Encoding::Char16));
    assert_eq!(character("U'\\U0001F600'"), (0x1F600, Encoding::Char32));
    assert!(error("int x = '';").contains("empty character constant"));
    assert!(error("int x = 'a;\nint y;").starts_with("t.c:1:9: error: this character constant is never closed"));
    assert!(error("int x = '\\xg';").contains("without hexadecimal digits"));
}

#[test]
fn strings() {
    assert_eq!(units("\"a\\tb\\x41\\101\\?\""), (vec![97, 9, 98, 0x41, 0x41, 63], Encoding::Plain));
    assert_eq!(units("\"ab\" \"c\\0\" \"1\"").0, [97, 98, 99, 0, 49]);
    assert_eq!(units("\"\\1234\"").0, [0o123, 52]);
    assert_eq!(units("\"ä\\u00e4\"").0, [0xC3, 0xA4, 0xC3, 0xA4]);
    assert_eq!(units("L\"aä\" \"b\""), (vec![97, 0xE4, 98], Encoding::Wide));
    assert_eq!(units("\"b\" u\"\\U0001F600\""), (vec![98, 0xD83D, 0xDE00], Encoding::Char16));
    assert_eq!(units("U\"\\U0001F600\"").0, [0x1F600]);
    assert_eq!(units("u8\"ä\""), (vec![0xC3, 0xA4], Encoding::Utf8));
    assert_eq!(units("\"\"").0, [0u32; 0]);
    assert!(error("char *s = L\"a\" u\"b\";").starts_with("t.c:1:16: error: this string literal cannot be joined"));
    assert!(error("char *s = \"a\n\";").starts_with("t.c:1:11: error: this string literal is never closed"));
    assert!(error("char *s = \"\\u12\";").contains("universal character name"));
}

#[test]
fn digraphs_alternate_keywords_and_odd_identifiers() {
    assert_eq!(decl("int a<:3:> = <% 1 %>;"), "int a[3] = { 1 };");
    assert_eq!(
        decl("__const__ __volatile int * __restrict__ p; extern __inline__ __typeof(1) f(__signed x);"),
        "const volatile int *__restrict p; extern inline __typeof__(1) f(int x);"
    );
    assert_eq!(expr("$a_1 + ä"), "($a_1 + ä)");
    assert_eq!(expr("u8 + u + U + L + Lx"), "((((u8 + u) + U) + L) + Lx)");
}

#[test]
fn comments_and_continuations() {
    assert_eq!(decl("int /* a\n * b // */ x; // y\n/**/int z;"), "int x; int z;");
    assert_eq!(decl("in\\\nt x\\\n\\\ny; // a \\\n still \nint z; char *s = \"a\\\nb\";"), "int xy; int z; char *s = \"ab\";");
    assert_eq!(error("int x;\n /* never"), "t.c:2:2: error: this comment is never closed");
    assert_eq!(error("int x; \\\n int y \\\n ?"), "t.c:3:2: error: expected ',' or ';' before '?'");
    assert_eq!(error("int \\\nx\ny"), "t.c:3:1: error: expected ',' or ';' before 'y'");
}

#[test]
fn positions_are_the_users() {
    assert_eq!(error("# 12 \"dir/f.c\"\nint x\n  ?"), "dir/f.c:13:3: error: expected ',' or ';' before '?'");
    assert_eq!(error("#line 7\n?"), "t.c:7:1: error: expected a declaration before '?'");
    assert_eq!(error("# 1 \"a.h\" 1 3 4\nint x;\n# 40 \"b.c\" 2\n\n ?"), "b.c:41:2: error: expected a declaration before '?'");
    assert_eq!(error("# 1 \"a \\\"q\\\" \\\\ \\303\\244.c\"\n?"), "a \"q\" \\ ä.c:1:1: error: expected a declaration before '?'");
    assert_eq!(error("int x; /* ä */ ?"), "t.c:1:16: error: expected a declaration before '?'");
    assert_eq!(error("char *s = \"ää\" ?"), "t.c:1:17: error: expected an expression before the end of the file");
    assert_eq!(error("\tint ä ?"), "t.c:1:8: error: expected ',' or ';' before '?'");
    assert_eq!(error("%: 5 \"x.c\"\n?"), "x.c:5:1: error: expected a declaration before '?'");
}

#[test]
fn directives() {
    assert_eq!(decl("#pragma once\n#pragma GCC diagnostic push\n#ident \"x\"\n#\n  # pragma x\nint x;"), "int x;");
    assert!(error("\n#include <stdio.h>\n").starts_with("t.c:2:2: error: '#include' is for the preprocessor"));
    assert!(error("#define X 1\n").contains("'#define' is for the preprocessor"));
    assert!(error("#line x\n").contains("needs a line number"));
    assert!(error("int # x;").starts_with("t.c:1:5: error: '#' has no meaning here"));
    assert_eq!(decl("_Pragma(\"GCC poison x\") int x _Pragma(\"y\");"), "int x;");
    assert!(error("_Pragma(x) int y;").contains("needs a string"));
}

#[test]
fn only_some_directives_need_the_preprocessor() {
    for text in ["#include <a>", "int x;\n  #  define X", "#if 1\n#endif", "%:undef X"] {
        assert!(plumb_cfront::needs_preprocessor(text.as_bytes()), "{text}");
    }
    for text in ["", "int x;", "# 1 \"f.c\"", "#line 3", "#pragma once", "#", "char *s = \"#include\";", "x %:> y"] {
        assert!(!plumb_cfront::needs_preprocessor(text.as_bytes()), "{text}");
    }
}

#[test]
fn stray_bytes() {
    for text in [&b"int @;"[..], b"int `;", b"int \\;", b"int \x01;", b"int \x7f;", b"int \xc3;"] {
        let (error, _) = try_parse(text).err().expect("an error");
        assert_eq!((error.span.line, error.span.col), (1, 5), "{error:?}");
    }
}
