//! Programs and graphs built by hand for the tests.
#![allow(dead_code, missing_docs)]

use plumb_cfa::*;
use plumb_term::{IntTy, Scalar, SourceMap, Span, VarId, VarTy};
use proptest::prelude::*;

pub const INT: VarTy = VarTy::Scalar(Scalar::Int(IntTy::I32));

pub fn graph(n: u32, edges: &[(u32, u32)]) -> Graph {
    let mut g = Graph::new();
    for _ in 0..n {
        g.add_loc(LocInfo::default());
    }
    for (a, b) in edges {
        g.add_edge(Loc(*a), Loc(*b), Op::Skip, Span::NONE);
    }
    g
}

/// A program with the given numbers of variables and functions; the variable after the last is the heap counter. Graphs are empty.
pub fn program(vars: u32, functions: u32) -> Program {
    let info = |name: String, ty, kind| VarInfo { name, c_type: "int".into(), ty, func: None, kind, span: Span::NONE };
    let mut infos: Vec<VarInfo> = (0..vars).map(|i| info(format!("x{i}"), INT, VarKind::Source)).collect();
    infos.push(info("heap".into(), VarTy::Int, VarKind::HeapTop));
    let function = |i: u32| Function {
        name: format!("f{i}"),
        span: Span::NONE,
        params: vec![],
        result: None,
        locals: vec![],
        graph: graph(2, &[(0, 1)]),
        entry: Loc(0),
        exit: Loc(1),
        addr: 16 * (1 + u64::from(i)),
        errors: vec![],
    };
    Program {
        semantics: Semantics::default(),
        sources: SourceMap::new(),
        vars: infos,
        regions: vec![],
        objects: vec![],
        functions: (0..functions).map(function).collect(),
        entry: FuncId(0),
        heap_top: VarId(vars),
        heap_base: 0x1000,
        externs: vec![],
    }
}

pub fn set_graph(p: &mut Program, f: u32, locs: u32, exit: u32, edges: Vec<(u32, u32, Op)>) {
    let mut g = graph(locs, &[]);
    for (a, b, op) in edges {
        g.add_edge(Loc(a), Loc(b), op, Span::NONE);
    }
    let function = &mut p.functions[f as usize];
    (function.graph, function.entry, function.exit) = (g, Loc(0), Loc(exit));
}

pub fn call(func: u32) -> Op {
    Op::Call { func: FuncId(func), args: vec![], dst: None }
}

pub fn edges(n: u32, max: usize) -> impl Strategy<Value = Vec<(u32, u32)>> {
    proptest::collection::vec((0..n, 0..n), 0..max)
}
