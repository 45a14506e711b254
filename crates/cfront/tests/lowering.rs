//! What programs become: errors, regions, layouts, messages. Meaning is tested by execution (`differential.rs`).

use plumb_cfa::interp::{Collected, Interpreter, Limits, Outcome, Zero};
use plumb_cfa::validate::validate;
use plumb_cfa::{DataModel, Integers, Op, Program, RegionId, Semantics, SignedOverflow, Ub};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_term::{visit, Cell, IntTy, Kind, Scalar, VarTy};

fn input(name: &str, text: &str) -> Input {
    Input { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
}

fn program_with(text: &str, options: &Options) -> Program {
    let program = load(&[input("t.c", text)], options).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(validate(&program), Ok(()));
    program
}

fn program(text: &str) -> Program {
    program_with(text, &Options::default())
}

fn lp64() -> Options {
    Options { semantics: Semantics { model: DataModel::Lp64, ..Semantics::default() }, ..Options::default() }
}

fn refusal(text: &str) -> String {
    load(&[input("t.c", text)], &Options::default()).err().map(|e| e.to_string()).unwrap_or_default()
}

fn run(program: &Program) -> Outcome {
    Interpreter::new(program, Box::new(Zero), Box::new(Collected::default()), Limits { steps: 1_000_000, ..Limits::default() }).run()
}

fn region(program: &Program, object: &str) -> RegionId {
    program.objects.iter().find(|o| o.name == object).unwrap_or_else(|| panic!("no object '{object}'")).region
}

fn cell(program: &Program, object: &str) -> Cell {
    program.region(region(program, object)).cell
}

fn ops(program: &Program) -> impl Iterator<Item = &Op> {
    program.functions.iter().flat_map(|f| f.graph.edges().map(|(_, e)| &e.op))
}

const I32: Cell = Cell::Scalar(Scalar::Int(IntTy::I32));

#[test]
fn the_error_is_the_call_that_the_program_mentions() {
    let called = "void reach_error(void); int main(void) { int x = 0; if (x) goto ERROR; reach_error(); ERROR: return 0; }";
    assert!(matches!(run(&program(called)), Outcome::Error { .. }));
    let label = "int main(void) { int x = 0; if (!x) goto ERROR; return 0; ERROR: return 1; }";
    assert!(matches!(run(&program(label)), Outcome::Error { .. }));
    let assert =
        "void __assert_fail(const char *, const char *, unsigned, const char *); int main(void) { __assert_fail(\"\", \"\", 1, \"\"); }";
    assert!(matches!(run(&program(assert)), Outcome::Error { .. }));
    let both = "void reach_error(void); void __assert_fail(const char *, const char *, unsigned, const char *);
        int main(void) { int x = 1; if (x) __assert_fail(\"\", \"\", 1, \"\"); reach_error(); }";
    assert!(matches!(run(&program(both)), Outcome::Halted { .. }));
    let given = Options { property: ErrorSpec::Calls(vec!["boom".to_owned()]), ..Options::default() };
    let body = "void boom(void) { } int main(void) { boom(); return 0; }";
    assert!(matches!(run(&program_with(body, &given)), Outcome::Error { .. }));
    assert_eq!(run(&program(body)), Outcome::Exit(0));
}

#[test]
fn an_error_in_an_operand_is_as_conditional_as_the_operand() {
    let text =
        "void reach_error(void); int main(void) { int x = 0; int y = x && (reach_error(), 1); x ? reach_error() : (void)0; return y + 3; }";
    assert_eq!(run(&program(text)), Outcome::Exit(3));
    let text = "int main(void) { int x = 0; int y = x && ({ goto out; 1; }); return y + 4; out: return 9; }";
    assert_eq!(run(&program(text)), Outcome::Exit(4));
}

#[test]
fn values_survive_later_side_effects_of_the_expression() {
    let text = "int g = 1; int f(void) { g = 10; return 1; } int *p; int a[2] = {5, 6}; int h(void) { a[0] = 50; return 1; }
        int main(void) { int x = g + f(); int y = a[0] + h(); p = a; int z = *p++ + *p; int w; int v = (w = 3) + w * 0; (void)z; return x * 100 + y + v; }";
    // The order of operands is unspecified in C; plumb evaluates from left to right.
    assert_eq!(run(&program(text)), Outcome::Exit(2 * 100 + 6 + 3));
    let text = "int a[2] = {1, 2}; int main(void) { int *p = a; int x = (*p = *p + 1); return x * 10 + a[0]; }";
    assert_eq!(run(&program(text)), Outcome::Exit(22));
}

#[test]
fn unrelated_arrays_are_regions_of_scalars() {
    let p = program("int a[10], b[10]; short s[4]; int main(void) { for (int i = 0; i < 10; i++) { a[i] = i; b[i] = a[i]; } s[1] = b[2]; return s[1]; }");
    assert_eq!((cell(&p, "a"), cell(&p, "b")), (I32, I32));
    assert_eq!(cell(&p, "s"), Cell::Scalar(Scalar::Int(IntTy::signed(16))));
    assert_ne!(region(&p, "a"), region(&p, "b"));
}

#[test]
fn overlapping_accesses_need_bytes() {
    let p = program("union { int i; char c[4]; } u; int a[4]; int main(void) { u.i = 1; a[1] = u.c[0]; return a[1] + *(char *)&a[1] + *(int *)((char *)a + 2); }");
    assert_eq!((cell(&p, "u"), cell(&p, "a")), (Cell::Byte, Cell::Byte));
    let mixed = program("struct s { int x; short y; } s; int main(void) { s.x = 1; s.y = 2; return s.x; }");
    assert_eq!(cell(&mixed, "s"), Cell::Byte);
}

#[test]
fn whatever_way_a_pointer_takes_its_object_is_in_the_region() {
    // Each program lets the address of `x` travel and compares: if the store went to another region, it would return 1.
    let travels = [
        "int *q = &x; *q = 5;",
        "unsigned long n = (unsigned long)&x; n = n + 4 - 4; *(int *)n = 5;",
        "union { int *p; unsigned char b[8]; } u, v; u.p = &x; for (int i = 0; i < 8; i++) v.b[i] = u.b[i]; *v.p = 5;",
        "int *p = &x, *q; char *s = (char *)&p, *d = (char *)&q; for (unsigned i = 0; i < sizeof p; i++) d[i] = s[i]; *q = 5;",
        "int *p = &x, *q; memcpy(&q, &p, sizeof p); *q = 5;",
        "struct n { int tag; int *p; } a, *b = &a; a.tag = 1; a.p = &x; unsigned long *w = (unsigned long *)&b->p; unsigned long bits = *w; *(int *)bits = 5;",
        "struct n { int *p; int k; } a[2]; a[1].p = &x; struct n c = a[1]; *c.p = 5;",
        "set(1, &x);",
        "int *y = give(&x); *y = 5;",
        "unsigned long a = (unsigned long)&x ^ 0x55; unsigned long b = a ^ 0x55; *(int *)b = 5;",
        "int *t[3] = {0, &x}; int **tt = t; *tt[1] = 5;",
        "unsigned long h = (unsigned long)&x, l = h & 0xffff, m = h >> 16; *(int *)(m << 16 | l) = 5;",
    ];
    for body in travels {
        let text = format!(
            "void *memcpy(void *, const void *, unsigned long); typedef __builtin_va_list va_list;
             static void set(int n, ...) {{ va_list ap; __builtin_va_start(ap, n); *__builtin_va_arg(ap, int *) = 5; }}
             static int *give(int *p) {{ return p; }}
             int main(void) {{ int x = 1; {body} return x != 5; }}"
        );
        for options in [Options::default(), lp64()] {
            assert_eq!(run(&program_with(&text, &options)), Outcome::Exit(0), "{body}");
        }
    }
}

#[test]
fn layouts_are_those_of_gcc() {
    // Sizes as `gcc -m32` and `gcc -m64` print them.
    let structures = "
        struct a { char c; long long l; }; struct b { char c; double d; long double ld; }; struct c { int a:3; int b:30; char c; };
        struct d { char a; int b:7; long long c:33; short d:9; }; struct e { int a:1; int :0; int b:1; char c; };
        struct __attribute__((packed)) f { char a; int b:5; long long c:40; short d; }; union g { char c[5]; int i; };
        struct h { union { int x; struct { short s; char t; }; }; char z; }; struct i { char a; struct { char x; int y; } b[2]; char c; };
        struct k { char a; enum { J } j:2; _Bool b:1; unsigned char u:7; }; struct l { int n; char f[]; }; struct __attribute__((aligned(8))) m { char c; };
        struct o { long long x:3; char y; }; struct p { char a; char b:4; char c:5; }; struct q { unsigned long long a:60; unsigned b:10; };
        struct r { char a; int b __attribute__((packed)); short c; }; typedef int ai __attribute__((aligned(16))); struct s { char c; ai x; };
        struct t { short a; long b; void *p; };\n#pragma pack(1)\nstruct n { char a; int b:9; double d; };\n#pragma pack()\n";
    let names =
        ["struct a", "struct b", "struct c", "struct d", "struct e", "struct f", "union g", "struct h", "struct i", "struct k", "struct l"];
    let more = ["struct m", "struct n", "struct o", "struct p", "struct q", "struct r", "struct s", "struct t"];
    let sizes = [
        (Options::default(), [12, 24, 12, 8, 8, 9, 8, 8, 24, 4, 4, 8, 11, 4, 3, 12, 8, 32, 12]),
        (lp64(), [16, 32, 12, 8, 8, 9, 8, 8, 24, 4, 4, 8, 11, 8, 3, 16, 8, 32, 24]),
    ];
    for (options, sizes) in sizes {
        let asserts: String =
            names.iter().chain(&more).zip(sizes).map(|(n, s)| format!("_Static_assert(sizeof({n}) == {s}, \"{n}\");\n")).collect();
        program_with(&format!("{structures}{asserts} int main(void) {{ return 0; }}"), &options);
    }
}

#[test]
fn integers_mean_what_was_chosen() {
    let text =
        "int main(void) { int x = 2147483647; unsigned u = 0; u = u - 1; x = x + 1; char c = 300; return x < 0 && u > 0 && c == 44; }";
    assert_eq!(run(&program(text)), Outcome::Exit(1));
    let ideal = Options { semantics: Semantics { integers: Integers::Ideal, ..Semantics::default() }, ..Options::default() };
    let p = program_with(text, &ideal);
    assert_eq!(run(&p), Outcome::Exit(0));
    assert!(p.vars.iter().filter(|v| v.name == "x" || v.name == "c").all(|v| v.ty == VarTy::Int));
    let wraps = |op: &Op| matches!(op, Op::Assign(us) if us.iter().any(|u| visit::postorder([u.1]).iter().any(|t| matches!(t.kind(), Kind::Wrap(..)))));
    assert!(!ops(&p).any(wraps));
    let assume = Options { semantics: Semantics { signed_overflow: SignedOverflow::Assume, ..Semantics::default() }, ..Options::default() };
    assert!(matches!(run(&program_with(text, &assume)), Outcome::Undefined { .. }));
}

#[test]
fn undefined_operations_are_guarded() {
    let guarded = |body: &str, ub: Ub| {
        let p = program(&format!(
            "int a[3]; extern int n(void); int main(void) {{ int i = n(); int *p = (int *)(unsigned long)n(); {body} return i; }}"
        ));
        assert!(ops(&p).any(|op| matches!(op, Op::Guard { ub: u, .. } if *u == ub)), "{body}");
    };
    guarded("i = 7 / i;", Ub::DivisionByZero);
    guarded("i = 7 << i;", Ub::ShiftCount);
    guarded("i = a[i];", Ub::OutOfBounds);
    guarded("i = *p;", Ub::NullDereference);
    guarded("i = (int)(i * 1e300);", Ub::FloatToInt);
    guarded("i = ((int (*)(void))p)();", Ub::BadCall);
}

#[test]
fn files_link_into_one_program() {
    let one = input("one.c", "extern int shared; static int own = 1; int other(void); static int f(void) { return own; } int main(void) { return f() * 100 + other() * 10 + shared; }");
    let two = input("two.c", "int shared = 3; static int own = 2; static int f(void) { return own; } int other(void) { return f(); }");
    let program = load(&[one, two], &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(run(&program), Outcome::Exit(123));
}

#[test]
fn messages_have_positions() {
    assert_eq!(refusal("int main(void) {\n  return y;\n}"), "t.c:2:10: error: 'y' is not declared");
    assert_eq!(refusal("_Static_assert(sizeof(int) == 3, \"no\"); int main(void) {}"), "t.c:1:1: error: static assertion failed: no");
    assert_eq!(refusal("struct s { int a; } x; int main(void) { return x.b; }"), "t.c:1:50: error: type 'struct s' has no member 'b'");
    assert!(refusal("int f(void) { return 0; }").contains("no function 'main'"));
    // Sizes beyond every machine.
    assert!(refusal("char a[1LL << 58][64]; int main(void) { return a[0][0]; }").contains("t.c:1:"));
    assert!(refusal("struct s { char a[1LL << 47], b[1LL << 47], c[1LL << 47]; } x; int main(void) { return x.a[0]; }").contains("t.c:1:"));
    assert!(refusal("int a[] = {[1LL << 60] = 1}; int main(void) { return 0; }").contains("t.c:1:"));
    assert!(refusal("struct s { int a : 40; }; int main(void) { return 0; }").contains("40 bits"));
    assert!(refusal("int x __attribute__((aligned(3))); int main(void) { return x; }").contains("power of two"));
}

#[test]
fn the_unsupported_matters_only_where_it_is_reached() {
    let p = program("int setjmp(void *); int f(void) { return setjmp(0); } int main(void) { return 0; }");
    assert!(!ops(&p).any(|op| matches!(op, Op::Unsupported(_))));
    let p = program("int setjmp(void *); int main(void) { return setjmp(0); }");
    assert!(matches!(run(&p), Outcome::Unsupported { .. }));
}

#[test]
fn loops_are_where_the_user_wrote_them() {
    let p = program(
        "int main(void) {\n  int i;\n  for (i = 0; i < 3; i++) ;\n  while (i) i--;\nagain:\n  if (i++ < 3) goto again;\n  return 0;\n}",
    );
    let main = p.functions.iter().find(|f| f.name == "main").expect("main");
    let mut heads: Vec<(u32, u32)> = main.graph.locs().filter_map(|l| main.graph.loc(l).loop_span).map(|s| (s.line, s.col)).collect();
    heads.sort_unstable();
    assert_eq!(heads, [(3, 3), (4, 3), (5, 1)]);
}

#[test]
fn realloc_keeps_what_both_blocks_hold() {
    let text = "void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *);
        int main(void) { int *p = realloc(0, 8); p[0] = 4; p[1] = 5; p = realloc(p, 400); p[99] = 6; int s = p[0] + p[1] + p[99]; p = realloc(p, 4);
            s += 10 * p[0]; free(p); return s; }";
    for options in [Options::default(), lp64()] {
        assert_eq!(run(&program_with(text, &options)), Outcome::Exit(55));
    }
    let after = "void *realloc(void *, unsigned long); int main(void) { int *p = realloc(0, 8); p[2] = 1; return 0; }";
    assert!(matches!(run(&program(after)), Outcome::Undefined { .. }));
}

#[test]
fn functions_without_a_body_are_listed() {
    let p = program("int unknown(int); int __VERIFIER_nondet_int(void); int main(void) { return unknown(1) + __VERIFIER_nondet_int(); }");
    assert_eq!(p.externs.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["unknown"]);
}

/// The functions that `main` may call, each once.
fn called(text: &str) -> Vec<String> {
    let program = program(text);
    let main = program.functions.iter().find(|f| f.name == "main").expect("main");
    let mut names: Vec<String> = main
        .graph
        .edges()
        .filter_map(|(_, e)| match &e.op {
            Op::Call { func, .. } => Some(program.function(*func).name.clone()),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn a_call_through_a_pointer_considers_the_functions_that_flow_there() {
    let functions = "int a(int x) { return x; } int b(int x) { return -x; } int c(int x) { return 1; } void offer(int (*)(int));";
    let main = |body: &str| called(&format!("{functions} int main(void) {{ int (*q)(int) = c; {body} }}"));
    assert_eq!(main("int (*p)(int) = a; if (q != c) p = b; return p(1);"), ["a", "b"]);
    assert_eq!(main("int (*p)(int) = a; return p(1) + q(2);"), ["a", "c"]);
    // Through memory of which bytes are read, and through integers.
    assert_eq!(
        main("union { int (*p)(int); char c[8]; } u, v; u.p = b; for (int i = 0; i < 8; i++) v.c[i] = u.c[i]; return v.p(1);"),
        ["b"]
    );
    assert_eq!(main("unsigned long n = (unsigned long)a; return ((int (*)(int))(n + 0))(1);"), ["a"]);
    // What comes from outside may be any function.
    let outside = ["int (*p)(int) = a; offer(b); if (q != c) p = get(); return p(1);", "return s.p(1) + (a == b);"];
    for body in outside {
        let text = format!(
            "int (*get(void))(int); extern struct {{ int (*p)(int); }} s; {functions} int main(void) {{ int (*q)(int) = c; {body} }}"
        );
        assert_eq!(called(&text), ["a", "b", "c"], "{body}");
    }
}
