//! Expressions against the values C gives them: printed text is compared, and compiled text is run by gcc.

use super::*;
use crate::source::{SourceFile, Sources};
use plumb_cfa::{Function, Graph, Loc, LocInfo, Program, Semantics, VarInfo, VarKind};
use plumb_term::eval::{eval, Value};
use plumb_term::{Float, FloatTy, IBig, IntTy, Scalar, SourceMap, Var, VarId, VarTy};

const TYPES: [(&str, IntTy, &str); 7] = [
    ("x", IntTy::I32, "int"),
    ("y", IntTy::I32, "int"),
    ("u", IntTy::U32, "unsigned int"),
    ("c", IntTy::signed(8), "signed char"),
    ("l", IntTy::I64, "long long"),
    ("v", IntTy::U64, "unsigned long long"),
    ("t", IntTy::I32, "int"),
];

fn program() -> (Program, Sources) {
    let mut sources = SourceMap::new();
    let file = sources.intern("p.c");
    let text = "void f() {\n int x,y; unsigned u; signed char c; long long l; unsigned long long v;\n while (1) { int t; }\n}\n";
    let at = |name: &str| {
        let line = text.lines().position(|l| l.contains(&format!(" {name}"))).unwrap();
        let col = text.lines().nth(line).unwrap().find(&format!(" {name}")).unwrap();
        Span { file, line: line as u32 + 1, col: col as u32 + 2 }
    };
    let column = |name| if name == "y" { Span { file, line: 2, col: 8 } } else { at(name) };
    let vars = TYPES
        .iter()
        .map(|(name, ty, c_type)| VarInfo {
            name: (*name).into(),
            c_type: (*c_type).into(),
            ty: VarTy::Scalar(Scalar::Int(*ty)),
            func: Some(FuncId(0)),
            kind: VarKind::Source,
            span: column(*name),
        })
        .collect();
    let mut graph = Graph::new();
    let entry = graph.add_loc(LocInfo::default());
    let f = Function {
        name: "f".into(),
        span: Span { file, line: 1, col: 6 },
        params: vec![],
        result: None,
        locals: vec![],
        graph,
        entry,
        exit: Loc(0),
        addr: 0x1000,
        errors: vec![],
    };
    let program = Program {
        semantics: Semantics::default(),
        sources,
        vars,
        regions: vec![],
        objects: vec![],
        functions: vec![f],
        entry: FuncId(0),
        heap_top: VarId(0),
        heap_base: 0x10000,
        externs: vec![],
    };
    (program, Sources::new(vec![SourceFile { name: "p.c".into(), bytes: text.into() }]))
}

fn v(name: &str) -> Term {
    let i = TYPES.iter().position(|t| t.0 == name).unwrap();
    Term::var(Var::new(VarId(i as u32), VarTy::Scalar(Scalar::Int(TYPES[i].1))))
}

fn k(n: i128) -> Term {
    Term::int(IBig::from(n))
}

/// Formulas with the text expected for them.
fn samples() -> Vec<(Term, &'static str)> {
    let (x, y, u, c, l, w) = (v("x"), v("y"), v("u"), v("c"), v("l"), v("v"));
    vec![
        (x.less(y), "x < y"),
        (k(0).less_eq(x), "x >= 0"),
        (x.less_eq(y.plus(5)), "x <= (long long)y + 5"),
        (x.add(y).equals(k(7)), "(long long)x + (long long)y == 7"),
        (x.less_eq(u), "(long long)x <= u"),
        (l.less(w), "l < 0 || l < v"),
        (w.less_eq(l), "l >= 0 && v <= l"),
        (w.equals(l), ""),
        (l.less(l.add(x)), ""),
        (c.scale(&IBig::from(2)).less_eq(c.add(c).plus(3)), "1"),
        (c.add(x.scale(&IBig::from(-1))).less_eq(k(3)), ""),
        (x.add(y).wrap(IntTy::I32).equals(k(-3)), "(int)((unsigned int)x + (unsigned int)y) == -3"),
        (u.plus(1).wrap(IntTy::U32).equals(k(0)), ""),
        (u.mul(u).wrap(IntTy::U32).less_eq(x), ""),
        (x.rem(k(3)).equals(k(1)), "x % 3 == 1"),
        (x.div(k(-1)).equals(l), ""),
        (x.bit_and(k(6)).differs(k(2)), "(x & 6) != 2"),
        (l.mul(x).equals(k(0)), ""),
        (x.mul(y).less_eq(k(9)), "(long long)x * (long long)y <= 9"),
        (x.less(y).or(u.equals(k(3))), ""),
        (x.less(y).and(u.equals(k(3))).or(c.equals(k(3))), ""),
        (Term::ite(x.less(y), c, x).less_eq(u), ""),
        (u.wrap(IntTy::unsigned(5)).equals(k(17)), "(u & 31U) == 17"),
        (k(i128::from(i64::MIN)).equals(l), "l == -9223372036854775807LL - 1"),
        (x.sub(y).wrap(IntTy::signed(8)).less(c), ""),
        (w.less_eq(k(10)), "v <= 10"),
        (l.less_eq(k(-1)), "l <= -1"),
    ]
}

#[test]
fn expected_texts() {
    let (program, sources) = program();
    let scopes = Scopes::new(&program, &sources);
    let printer = Printer::new(&scopes, FuncId(0), Span { line: 3, col: 2, ..program.functions[0].span });
    for (t, expected) in samples() {
        let got = printer.exactly(t);
        if !expected.is_empty() {
            assert_eq!(got.as_deref(), Some(expected), "{t:?}");
        }
    }
}

#[test]
fn what_is_too_long_to_read_can_be_written() {
    let (program, sources) = program();
    let scopes = Scopes::new(&program, &sources);
    let printer = Printer::new(&scopes, FuncId(0), Span { line: 3, col: 2, ..program.functions[0].span });
    let long = Term::any((0..400).map(|i| v("x").equals(k(5 * i))));
    assert_eq!(printer.exactly(long), None);
    let text = printer.at_length().exactly(long).unwrap();
    assert!(text.starts_with("x == 0 || x == 5 || ") && text.len() > 3000, "{text}");
}

#[test]
fn infinities_are_quotients() {
    let (program, sources) = program();
    let scopes = Scopes::new(&program, &sources);
    let printer = Printer::new(&scopes, FuncId(0), Span { line: 3, col: 2, ..program.functions[0].span });
    let text = |f: Float| printer.float(Term::float(f), 10).unwrap().under(prec::UNARY);
    assert_eq!(text(Float::inf(FloatTy::F32)), "(1.0f / 0.0f)");
    assert_eq!(text(Float::inf(FloatTy::F64).neg()), "(-1.0 / 0.0)");
}

#[test]
fn the_inexpressible_is_dropped_and_only_weakens() {
    let (program, sources) = program();
    let scopes = Scopes::new(&program, &sources);
    let printer = Printer::new(&scopes, FuncId(0), Span { line: 3, col: 2, ..program.functions[0].span });
    let hidden = v("t").less(v("y"));
    assert_eq!(printer.exactly(hidden), None, "t is declared in the loop");
    let x = v("x").less(v("y"));
    assert_eq!(printer.conjuncts(hidden.and(x)), ["x < y"]);
    assert_eq!(printer.conjuncts(hidden.or(x)), Vec::<String>::new());
    assert_eq!(printer.conjuncts(hidden.and(x).or(v("u").equals(k(1)))).len(), 1);
    let inside = Printer::new(&scopes, FuncId(0), Span { line: 3, col: 16, ..program.functions[0].span });
    assert_eq!(inside.exactly(hidden).as_deref(), Some("t < y"));
    let mut deep = v("x").less(v("y"));
    for i in 0..100_000 {
        deep = deep.not().and(v("u").differs(k(i))).or(v("c").equals(k(i % 100)));
    }
    assert_eq!(printer.exactly(deep), None);
}

/// Runs every expression under gcc on edge values and compares with the term's own value.
#[test]
fn gcc_agrees() {
    let (program, sources) = program();
    let scopes = Scopes::new(&program, &sources);
    let printer = Printer::new(&scopes, FuncId(0), Span { line: 3, col: 2, ..program.functions[0].span });
    let exprs: Vec<(Term, String)> = samples().into_iter().filter_map(|(t, _)| Some((t, printer.exactly(t)?))).collect();
    assert!(exprs.len() >= 24, "{} expressible", exprs.len());
    let points: [[i128; 6]; 8] = [
        [0, 0, 0, 0, 0, 0],
        [1, 2, 3, 4, 5, 6],
        [-1, -1, 0xffff_ffff, -1, -1, u64::MAX as i128],
        [i32::MIN as i128, i32::MAX as i128, 0x8000_0000, -128, i64::MIN as i128, 1 << 63],
        [i32::MAX as i128, 1, 17, 127, i64::MAX as i128, i64::MAX as i128],
        [7, 0, 0xffff_fff1, 3, 1 << 40, 1 << 40],
        [-3, 0, 3, 3, -5, 10],
        [65535, 65537, 65536, -2, 4_294_967_296, 11],
    ];
    let mut code = String::from("#include <stdio.h>\nint main(void) {\n");
    let mut expected = String::new();
    for p in &points {
        code += &format!(
            "{{ int x = (int){}LL, y = (int){}LL; unsigned u = {}U; signed char c = {}; long long l = (long long){}ULL; unsigned long long v = {}ULL;\n",
            p[0], p[1], p[2], p[3], p[4] as i64 as u64, p[5]
        );
        for (t, text) in &exprs {
            code += &format!("putchar({text} ? '1' : '0');\n");
            let value = eval(*t, &|var| Some(Value::Int(IBig::from(p[var.id.0 as usize]))));
            expected.push(if value == Some(Value::Bool(true)) { '1' } else { '0' });
        }
        code += "}\n";
    }
    code += "return 0; }\n";
    let dir = std::env::temp_dir().join(format!("plumb-cexpr-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (c, bin) = (dir.join("t.c"), dir.join("t"));
    std::fs::write(&c, code).unwrap();
    let status = std::process::Command::new("gcc").arg("-w").arg("-o").arg(&bin).arg(&c).status();
    assert!(status.is_ok_and(|s| s.success()), "gcc compiles the expressions");
    let out = std::process::Command::new(&bin).output().unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(String::from_utf8(out.stdout).unwrap(), expected);
}

#[test]
fn heap_objects_are_told_by_what_says_that_there_is_one() {
    let (mut program, sources) = program();
    program.heap_top = VarId(5);
    let scopes = Scopes::new(&program, &sources);
    let printer = Printer::new(&scopes, FuncId(0), Span { line: 3, col: 2, ..program.functions[0].span });
    let object = Term::var(Var::new(VarId::FIRST_BOUND, VarTy::Scalar(Scalar::Int(IntTy::U32))));
    let (base, top) = (k(0x10000), v("v"));
    let is_one = base.less_eq(object).and(object.less(top)).and(object.sub(base).rem(k(32)).equals(k(0)));
    let said = object.less(k(0x20000)).or(v("x").less(v("y")));
    let text = printer.for_all(is_one.implies(said));
    assert_eq!(text.len(), 1);
    assert!(text[0].starts_with("for every heap object k: ") && text[0].contains("x < y") && !text[0].contains('%'), "{text:?}");
    // Of some objects only: that is another sentence.
    let text = printer.for_all(is_one.and(object.differs(v("u"))).implies(said));
    assert!(text.iter().all(|t| t.starts_with("for all k: ")), "{text:?}");
}

/// What a proof records is no memory of the program, wherever it lies.
#[test]
fn records_are_not_named() {
    let (mut program, sources) = program();
    let ty = Scalar::Int(IntTy::I32);
    let memory = |id: VarId| Term::var(Var::new(id, VarTy::Mem(plumb_term::Cell::Scalar(ty))));
    let object = plumb_cfa::Object {
        name: "a".into(),
        addr: 0x10000,
        size: 4,
        layout: plumb_cfa::Layout::Scalar(ty),
        region: plumb_cfa::RegionId(0),
        func: None,
        read_only: false,
        span: Span { line: 1, col: 1, ..program.functions[0].span },
    };
    program.objects.push(object);
    let scopes = Scopes::new(&program, &sources);
    let printer = Printer::new(&scopes, FuncId(0), Span { line: 3, col: 2, ..program.functions[0].span });
    let said = |id: VarId| printer.conjuncts(Term::load(ty, memory(id), k(0x10000)).less(v("x")));
    assert_eq!(said(VarId(20)).len(), 1, "a cell of the program has a name");
    assert!(said(VarId::FIRST_RECORD).is_empty());
    let bound = Term::var(Var::new(VarId::FIRST_BOUND, VarTy::Scalar(ty)));
    let all = Term::load(ty, memory(VarId::FIRST_RECORD), bound.scale(&4.into()).add(k(0x10000))).less(v("x"));
    assert!(printer.for_all(all).is_empty());
}
