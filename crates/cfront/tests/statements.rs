//! Statements: structure and positions.

mod support;

use plumb_cfront::ast::{BlockItem, LabelKind, Stmt, StmtKind};
use support::{error, parsed, stmt};

#[test]
fn control_flow() {
    assert_eq!(stmt("if (a) b; else if (c) ; else a;"), "if (a) { b; } else if (c) { ; } else { a; }");
    assert_eq!(stmt("if (a) if (b) c; else a;"), "if (a) { if (b) { c; } else { a; } }");
    assert_eq!(stmt("while (a) { b; continue; }"), "while (a) { b; continue; }");
    assert_eq!(stmt("do a; while (b);"), "do { a; } while (b);");
    assert_eq!(stmt("for (;;) break;"), "for (;;) { break; }");
    assert_eq!(stmt("for (a = 1; a < b; a++) ;"), "for ((a = 1); (a < b); (a++)) { ; }");
    assert_eq!(stmt("for (int i = 0, j; i < 3; ) ;"), "for (int i = 0, j; (i < 3);) { ; }");
    assert_eq!(stmt("for (T i = 0; i; i--) ;"), "for (T i = 0; i; (i--)) { ; }");
    assert_eq!(stmt("return;"), "return;");
    assert_eq!(stmt("return a, b;"), "return (a, b);");
}

#[test]
fn labels_and_jumps() {
    assert_eq!(
        stmt("switch (a) { case 1: case 2 ... 5: b; break; default: c; }"),
        "switch (a) { case 1: case 2 ... 5: b; break; default: c; }"
    );
    assert_eq!(stmt("switch (a) case 'x' ? 1 : 2: b;"), "switch (a) { case ('x' ? 1 : 2): b; }");
    assert_eq!(stmt("L: M: a;"), "L: M: a;");
    assert_eq!(stmt("{ L: int x; }"), "{ L: ; int x; }");
    assert_eq!(stmt("{ L: T *x; }"), "{ L: ; T *x; }");
    assert_eq!(stmt("{ L: }"), "{ L: ; }");
    assert_eq!(stmt("{ T: a; }"), "{ T: a; }");
    assert_eq!(stmt("L: __attribute__((unused)) a;"), "L: __attribute__((unused)) a;");
    assert_eq!(stmt("goto L;"), "goto L;");
    assert_eq!(stmt("goto *(&&L + a);"), "goto *((&&L) + a);");
    assert_eq!(stmt("{ __label__ x, y; __label__ z; x: y: z: ; }"), "{ __label__ x; __label__ y; __label__ z; x: y: z: ; }");
}

#[test]
fn assembler() {
    assert_eq!(stmt("asm(\"nop\");"), "asm (\"nop\");");
    assert_eq!(
        stmt("__asm__ __volatile__ (\"a\" \"b\" : \"=r\" (a), [x] \"+m\" (*b) : \"0\" (c) : \"memory\", \"cc\");"),
        "asm volatile (\"ab\" : \"=r\" (a), [x] \"+m\" ((*b)) : \"0\" (c) : \"memory\", \"cc\");"
    );
    assert_eq!(stmt("asm goto (\"j\" : : \"r\" (a) : : L, M);"), "asm goto (\"j\" : : \"r\" (a) : : L, M);");
    assert_eq!(stmt("asm volatile (\"\" ::: \"memory\");"), "asm volatile (\"\" : : : \"memory\");");
    assert_eq!(error("void f(void) { asm(\"\" ::::: \"x\"); }"), "t.c:1:27: error: 'asm' has at most four lists of operands");
}

#[test]
fn attributes_and_declarations_among_statements() {
    assert_eq!(stmt("__attribute__((fallthrough));"), "__attribute__((fallthrough));");
    assert_eq!(
        stmt("switch (a) { case 1: __attribute__((fallthrough)); case 2: ; }"),
        "switch (a) { case 1: __attribute__((fallthrough)); case 2: ; }"
    );
    assert_eq!(
        stmt("{ __attribute__((unused)) int x; __extension__ int y; __extension__ a; }"),
        "{ __attribute__((unused)) int x; int y; a; }"
    );
    assert_eq!(stmt("{ _Static_assert(1, \"m\"); T (x); T (*y)(T); a (b); }"), "{ _Static_assert(1, \"m\"); T x; T (*y)(T); a(b); }");
    assert_eq!(stmt("{ struct s { int x; } v; static int w = 1; }"), "{ struct s { int x; } v; static int w = 1; }");
}

#[test]
fn keywords_have_positions() {
    let text = "void f(int x) {\n  for (;;) x++;\n  while (x) x--;\n  do x++;\n    while (x);\n  if (x)\n    x++;\n  else if (x > 1) x--;\n  switch (x) { case 1: ; }\n  return;\nL: x++;\n}";
    let parsed = parsed(text);
    let stmts: Vec<&Stmt> = parsed
        .function()
        .body
        .items
        .iter()
        .map(|item| match item {
            BlockItem::Stmt(stmt) => stmt,
            other => panic!("{other:?}"),
        })
        .collect();
    let places: Vec<(u32, u32)> = stmts.iter().map(|stmt| (stmt.span.line, stmt.span.col)).collect();
    assert_eq!(places, [(2, 3), (3, 3), (4, 3), (6, 3), (9, 3), (10, 3), (11, 1)]);
    assert!(matches!(&stmts[2].kind, StmtKind::DoWhile { while_span, .. } if (while_span.line, while_span.col) == (5, 5)));
    assert!(matches!(&stmts[3].kind, StmtKind::If { arms, .. } if (arms[1].span.line, arms[1].span.col) == (8, 8)));
    assert!(matches!(&stmts[6].kind, StmtKind::Labeled { labels, .. } if matches!(labels[0].kind, LabelKind::Named(..))));
}

#[test]
fn wrong_statements_are_located() {
    assert_eq!(error("void f(void) { else ; }"), "t.c:1:16: error: expected a statement before 'else'");
    assert_eq!(error("void f(void) { if x; }"), "t.c:1:19: error: expected '(' before 'x'");
    assert_eq!(error("void f(void) { do ; }"), "t.c:1:21: error: expected 'while' before '}'");
    assert_eq!(error("void f(void) { goto 1; }"), "t.c:1:21: error: expected a label before '1'");
}
