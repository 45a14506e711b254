//! Hostile input ends in a located message or a tree, never in a crash: deep nesting, long chains, large files, bytes that
//! are not text.

use plumb_cfront::ast::TranslationUnit;
use plumb_cfront::{parse, Diagnostic, Interner, Problem};
use plumb_term::SourceMap;

fn run(text: &[u8]) -> Result<TranslationUnit, Diagnostic> {
    parse(text, "t.c", &mut SourceMap::new(), &mut Interner::new())
}

/// `prefix`, then `open` and `close` nested `levels` deep around `middle`, then `suffix`.
fn nested(prefix: &str, open: &str, middle: &str, close: &str, suffix: &str, levels: usize) -> Vec<u8> {
    format!("{prefix}{}{middle}{}{suffix}", open.repeat(levels), close.repeat(levels)).into_bytes()
}

/// Every way to nest that the grammar has.
const NESTS: &[(&str, &str, &str, &str, &str)] = &[
    ("int x = ", "(", "1", ")", ";"),
    ("int x = ", "-", "1", "", ";"),
    ("int x = ", "__extension__ ", "1", "", ";"),
    ("int x = ", "sizeof ", "1", "", ";"),
    ("int x = ", "sizeof(int[", "1", "])", ";"),
    ("int x = ", "(int)", "1", "", ";"),
    ("int x = ", "f(", "1", ")", ";"),
    ("int x = ", "a[", "1", "]", ";"),
    ("int x = ", "a = ", "1", "", ";"),
    ("int x = ", "a ? ", "1", " : 2", ";"),
    ("int x = ", "1 ? 2 : ", "1", "", ";"),
    ("int x = ", "1||2&&3|4^5&6==7<8<<9+10*(", "1", ")", ";"),
    ("int x = ", "_Generic(1, default: ", "1", ")", ";"),
    ("int x = ", "__builtin_choose_expr(1, 2, ", "1", ")", ";"),
    ("int x = ", "(int){", "1", "}", ";"),
    ("int x = ", "{", "1", "}", ";"),
    ("int x = ", "(int[]){ [", "1", "] = 2 }[0]", ";"),
    ("int f(void) { return ", "({ ", "1", "; })", "; }"),
    ("int f(void) { return ", "({ 1 + ({ 2; }) + ", "1", "; })", "; }"),
    ("int f(void) { return ", "({ ", "1", "; }) + 1 + 1 + 1", "; }"),
    ("void f(void) { ", "{", ";", "}", "}"),
    ("void f(void) { ", "if (1) ", ";", "", "}"),
    ("void f(void) { ", "if (1) ; else { ", ";", "}", "}"),
    ("void f(void) { ", "while (1) ", ";", "", "}"),
    ("void f(void) { ", "do ", ";", " while (1);", "}"),
    ("void f(void) { ", "for (;;) ", ";", "", "}"),
    ("void f(void) { ", "switch (1) case 1: ", ";", "", "}"),
    ("int ", "(", "x", ")", ";"),
    ("int ", "*", "x", "", ";"),
    ("int ", "(*", "x", ")(void)", ";"),
    ("int f", "(int g", "(void)", ")", ";"),
    ("int f", "(int ", "", ")", ";"),
    ("int x", "[1]", "", "", ";"),
    ("", "struct { ", "int x;", " } y;", ""),
    ("", "typeof(", "int", ")", " x;"),
    ("", "_Atomic(", "int", ")", " x;"),
    ("", "int __attribute__((a(sizeof(", "int", "))))", " x;"),
    ("int x = ", "1 + ", "1", "", ";"),
    ("int x = 1", " + 1", "", "", ";"),
    ("int x = a", ".b", "", "", ";"),
    ("int x = a", "()", "", "", ";"),
    ("enum { a = ", "sizeof(enum { b = ", "1", " })", " };"),
];

#[test]
fn nesting_of_100_000_levels_is_refused_with_a_position() {
    for &(prefix, open, middle, close, suffix) in NESTS {
        match run(&nested(prefix, open, middle, close, suffix, 100_000)) {
            Err(error) => {
                assert!(error.span.is_known(), "{open}: {error:?}");
                assert_eq!(error.problem, Problem::Unsupported, "{open}: {error:?}");
            }
            Ok(_) => panic!("{open} nested 100,000 deep was accepted"),
        }
    }
}

#[test]
fn the_deepest_accepted_trees_can_be_cloned_printed_and_dropped() {
    for &(prefix, open, middle, close, suffix) in NESTS {
        // The largest accepted depth by bisection.
        let (mut good, mut bad) = (1, 20_000);
        while bad - good > 1 {
            let levels = (good + bad) / 2;
            match run(&nested(prefix, open, middle, close, suffix, levels)) {
                Err(error) if error.problem == Problem::Unsupported => bad = levels,
                _ => good = levels,
            }
        }
        assert!(good >= 600, "{open}: only {good} levels");
        let unit = run(&nested(prefix, open, middle, close, suffix, good));
        let unit = unit.unwrap_or_else(|error| panic!("{open}: {error:?}"));
        plumb_cfront::parse::on_deep_stack(|| assert!(!format!("{:?}", unit.clone()).is_empty())).unwrap();
    }
}

#[test]
fn long_lists_are_not_nesting() {
    let statements = format!("void f(int x) {{ {} }}", "x = x + 1; ".repeat(200_000));
    run(statements.as_bytes()).unwrap();
    let chain = format!("void f(int x) {{ {} ; }}", "if (x == 1) x++; else ".repeat(100_000));
    run(chain.as_bytes()).unwrap();
    let labels = format!("void f(int x) {{ switch (x) {{ {} ; }} }}", "case 1: ".repeat(100_000));
    run(labels.as_bytes()).unwrap();
    let list = format!("int a[] = {{ {} }};", "1, ".repeat(200_000));
    run(list.as_bytes()).unwrap();
    let comma = format!("void f(int x) {{ {} x; }}", "x, ".repeat(200_000));
    run(comma.as_bytes()).unwrap();
    let strings = format!("char *s = {};", "\"ab\" ".repeat(200_000));
    run(strings.as_bytes()).unwrap();
    let operators = format!("int x = {} 1;", "1 + ".repeat(9_000));
    run(operators.as_bytes()).unwrap();
    let scopes = "typedef int T; void f(void) { ".to_owned() + &"{ T T; T = 1; } T x; ".repeat(50_000) + "}";
    run(scopes.as_bytes()).unwrap();
}

#[test]
fn twenty_megabytes_take_seconds() {
    let function = "static int f(struct s *p, unsigned long n) { for (int i = 0; i < n; i++) p->a[i] += (i << 2) ^ 0x1fUL; return 0; }\n";
    let text = function.repeat(20_000_000 / function.len());
    let start = std::time::Instant::now();
    let unit = run(text.as_bytes()).unwrap();
    assert_eq!(unit.items.len(), 20_000_000 / function.len());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn bytes_that_are_not_text() {
    run(b"/* \xff\xfe */ char *s = \"\xff\x80\"; // \xc3").unwrap();
    let error = run(b"int x;\nint \xff\xfe;").unwrap_err();
    assert_eq!((error.span.line, error.span.col), (2, 5));
    let error = run(b"int x;\n  int \0 y;").unwrap_err();
    assert_eq!((error.span.line, error.span.col), (2, 7));
    assert!(run(b"int *p = L\"\xff\";").is_err());
    for text in
        [&b""[..], b"\xef\xbb\xbf", b"\\", b"\\\n", b"#", b"# ", b"# 1 \"", b"# 1 \"\\", b"'", b"\"\\", b"'\\", b"/*", b"/", b"L", b"u8"]
    {
        let _ = run(text);
    }
}
