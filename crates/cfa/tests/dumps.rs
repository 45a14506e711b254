//! The textual form and the Graphviz form.

mod build;

use build::*;
use plumb_cfa::dot::Dot;
use plumb_cfa::text::Text;
use plumb_cfa::*;
use plumb_term::{Cell, IntTy, Scalar, Span, Term, VarId, VarTy};

fn sample() -> Program {
    let mut p = program(2, 2);
    let file = p.sources.intern("a.c");
    let span = Span { file, line: 3, col: 5 };
    p.vars.push(VarInfo {
        name: "mem".into(),
        c_type: "".into(),
        ty: VarTy::Mem(Cell::Byte),
        func: None,
        kind: VarKind::Region(RegionId(0)),
        span,
    });
    p.regions.push(Region { var: VarId(3), cell: Cell::Byte });
    p.objects.push(Object {
        name: "buf \"quoted\"".into(),
        addr: 64,
        size: 4,
        region: RegionId(0),
        func: Some(FuncId(1)),
        read_only: true,
        layout: Layout::Scalar(Scalar::Int(IntTy::I32)),
        span,
    });
    p.externs.push(Extern { name: "getpid".into(), span });
    let (x, y) = (p.term(VarId(0)), p.term(VarId(1)));
    let edges = vec![
        (0, 1, Op::Havoc { var: VarId(0), source: InputSource::Nondet("__VERIFIER_nondet_int".into()) }),
        (1, 2, Op::Assume(x.less_eq(y))),
        (1, 3, Op::Assume(y.less(x))),
        (2, 1, Op::Assign(vec![(VarId(0), y), (VarId(1), x.plus(1).wrap(IntTy::I32))])),
        (2, 1, Op::Call { func: FuncId(1), args: vec![x], dst: Some(VarId(1)) }),
        (3, 4, Op::Guard { cond: x.differs(Term::int(0)), ub: Ub::DivisionByZero }),
        (3, 4, Op::HavocMem { region: RegionId(0), addr: Term::int(64), len: Term::int(4) }),
        (3, 4, Op::Alloc { dst: VarId(0), size: Term::int(8), region: RegionId(0), storage: Storage::Heap, zeroed: true }),
        (3, 4, Op::Free { addr: x }),
        (3, 4, Op::Output { name: "printf".into(), args: vec![(Scalar::Int(IntTy::U32), x)], dst: None }),
        (3, 4, Op::Halt { status: Some(Term::int(1)) }),
        (3, 4, Op::Unsupported("a \"thing\"\nof two lines".into())),
    ];
    set_graph(&mut p, 0, 5, 4, edges);
    p.functions[0].errors = vec![Loc(3)];
    p.functions[0].graph.loc_mut(Loc(1)).loop_span = Some(span);
    p.functions[0].graph.loc_mut(Loc(2)).label = Some("again".into());
    p
}

#[test]
fn the_text_names_everything() {
    let text = Text(&sample()).to_string();
    for part in [
        "program Ilp32",
        "entry f0",
        "extern getpid  // a.c:3:5",
        "var x0#0: i32 (int) global",
        "var mem#3: memory of bytes () global, region  // a.c:3:5",
        "region 0: mem#3 of bytes",
        "object \"buf \\\"quoted\\\"\" at 0x40, 4 bytes, region 0, in f1, read-only: Scalar(Int(",
        "function f0() at 0x10",
        "entry L0, exit L4, errors [L3]",
        "L1: loop a.c:3:5",
        "L2: label again",
        "x0#0 := any (nondet __VERIFIER_nondet_int) -> L1",
        "assume (x0#0 <= x1#1) -> L2",
        "x0#0, x1#1 := x1#1, wrap_i32((x0#0 + 1)) -> L1",
        "x1#1 := f1(x0#0) -> L1",
        "else division by zero -> L4",
        "mem#3 [64, +4) := any -> L4",
        "x0#0 := new 8 bytes in region 0 on the heap, zeroed -> L4",
        "free x0#0",
        "output printf(u32 x0#0)",
        "halt 1",
        "unsupported \"a \\\"thing\\\"\\nof two lines\"",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert_eq!(text, Text(&sample()).to_string());
}

#[test]
fn a_change_of_any_edge_shows() {
    let p = sample();
    let text = Text(&p).to_string();
    for e in 0..p.functions[0].graph.num_edges() {
        let mut q = p.clone();
        *q.functions[0].graph.op_mut(EdgeId(e as u32)) = Op::Skip;
        assert_ne!(text, Text(&q).to_string());
    }
}

#[test]
fn graphviz_escapes_and_marks() {
    let dot = Dot(&sample()).to_string();
    assert!(dot.starts_with("digraph program {") && dot.trim_end().ends_with('}'));
    assert!(dot.contains("f0_1 [label=\"1\", tooltip=\"a.c:3:5\", shape=doublecircle];"));
    assert!(dot.contains("fillcolor=salmon"));
    assert!(dot.contains("f0_2 -> f0_1 [label=\"x1#1 := f1(x0#0)\", style=dashed];"));
    assert!(dot.contains("label=\"unsupported \\\"a \\\\\\\"thing"));
    // Quotes are balanced on every line once escapes are gone.
    for line in dot.lines() {
        let plain = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(plain.matches('"').count() % 2, 0, "{line}");
    }
}
