//! Random programs, inputs that depend on the place only, and what they lead to.
#![allow(dead_code, missing_docs)]

use plumb_cfa::interp::{Discard, Interpreter, Limits, Outcome, Replay};
use plumb_cfa::*;
use plumb_term::eval::{MemValue, Value};
use plumb_term::{Cell, IBig, IntTy, Scalar, SourceMap, Span, Term, VarId, VarTy};
use plumb_transform::walk::{walk, End, See};
use plumb_verdict::{InputValue, Trace};
use proptest::prelude::*;
use std::collections::BTreeMap;

pub const U8: IntTy = IntTy::U8;
pub const I32: IntTy = IntTy::I32;
pub const HEAP: VarId = VarId(0);
pub const MEM: VarId = VarId(5);
pub const PARAM: VarId = VarId(6);
pub const RESULT: VarId = VarId(7);
pub const LOCAL: VarId = VarId(8);
pub const OBJECT: u64 = 0x100;
pub const STEPS: u64 = 600;

/// The variables that statements use: four globals.
pub fn x(i: u8) -> VarId {
    VarId(1 + u32::from(i) % 4)
}

fn ty(v: VarId) -> IntTy {
    match v.0 {
        1 | 3 => U8,
        _ => I32,
    }
}

#[derive(Clone, Copy, Debug)]
pub struct E(pub u8, pub u8, pub i8, pub u8);
#[derive(Clone, Copy, Debug)]
pub struct C(pub u8, pub u8, pub i8, pub u8);

#[derive(Clone, Debug)]
pub enum S {
    Skip,
    Assign(u8, E),
    Two(u8, E, E),
    Havoc(u8),
    If(C, Vec<S>, Vec<S>),
    While(C, Vec<S>),
    Assume(C),
    Guard(C),
    Error(C),
    Call(E, u8),
    CallG,
    Store(u8, E),
    Load(u8, u8),
    HavocObject,
    Index(u8),
    Halt(C),
}

impl E {
    pub fn term(self, p: &Program) -> Term {
        let (a, b, k) = (p.term(x(self.0)), p.term(x(self.1)), i32::from(self.2));
        match self.3 % 8 {
            0 => Term::int(k),
            1 => a.plus(k),
            2 => a.add(b),
            3 => a.sub(b).plus(k),
            4 => a.mul(b),
            5 => a.bit_and(Term::int(7)),
            6 => Term::ite(a.less_eq(b), a, Term::int(k)),
            _ => a.plus(1).wrap(U8).add(b.shr(Term::int(1))),
        }
    }
}

impl C {
    pub fn term(self, p: &Program) -> Term {
        let (a, b, k) = (p.term(x(self.0)), p.term(x(self.1)), Term::int(i32::from(self.2)));
        match self.3 % 6 {
            0 => a.less_eq(k),
            1 => a.equals(k),
            2 => a.differs(k),
            3 => a.less(b),
            4 => a.plus(1).wrap(U8).less_eq(k),
            _ => a.less_eq(k).and(b.greater(Term::int(0))),
        }
    }
}

fn empty() -> Program {
    let info = |name: &str, ty, func, kind| VarInfo { name: name.into(), c_type: "int".into(), ty, func, kind, span: Span::NONE };
    let int = |t| VarTy::Scalar(Scalar::Int(t));
    let mut vars = vec![info("heap", VarTy::Int, None, VarKind::HeapTop)];
    for i in 0..4 {
        vars.push(info(&format!("x{i}"), int(ty(x(i))), None, VarKind::Source));
    }
    vars.push(info("mem", VarTy::Mem(Cell::Byte), None, VarKind::Region(RegionId(0))));
    for name in ["p", "r", "l"] {
        vars.push(info(name, int(I32), Some(FuncId(1)), VarKind::Source));
    }
    let function = |name: &str, params: Vec<VarId>, result, locals| Function {
        name: name.into(),
        span: Span::NONE,
        params,
        result,
        locals,
        graph: Graph::new(),
        entry: Loc(0),
        exit: Loc(0),
        addr: 0,
        errors: vec![],
    };
    let layout = Layout::Array { elem: Box::new(Layout::Scalar(Scalar::Int(I32))), stride: 4, len: 2 };
    let object =
        Object { name: "o".into(), addr: OBJECT, size: 8, region: RegionId(0), func: None, read_only: false, layout, span: Span::NONE };
    Program {
        semantics: Semantics::default(),
        sources: SourceMap::new(),
        vars,
        regions: vec![Region { var: MEM, cell: Cell::Byte }],
        objects: vec![object],
        functions: vec![
            function("start", vec![], None, vec![]),
            function("f", vec![PARAM], Some(RESULT), vec![PARAM, RESULT, LOCAL]),
            function("g", vec![], None, vec![]),
        ],
        entry: FuncId(0),
        heap_top: HEAP,
        heap_base: 0x1000,
        externs: vec![],
    }
}

/// A function's graph under construction; every edge has a line of its own.
pub struct Build<'p> {
    p: &'p mut Program,
    f: usize,
    line: &'p mut u32,
}

impl Build<'_> {
    fn loc(&mut self) -> Loc {
        self.p.functions[self.f].graph.add_loc(LocInfo::default())
    }

    pub fn edge(&mut self, from: Loc, to: Loc, op: Op) {
        *self.line += 1;
        let span = Span { line: *self.line, ..Span::NONE };
        self.p.functions[self.f].graph.add_edge(from, to, op, span);
    }

    fn next(&mut self, from: Loc, op: Op) -> Loc {
        let to = self.loc();
        self.edge(from, to, op);
        to
    }

    fn block(&mut self, mut at: Loc, body: &[S]) -> Loc {
        for s in body {
            at = self.stmt(at, s);
        }
        at
    }

    fn stmt(&mut self, at: Loc, s: &S) -> Loc {
        let cell = |i: u8| Term::int(OBJECT + 4 * u64::from(i % 2));
        let int = Scalar::Int(I32);
        match s {
            S::Skip => self.next(at, Op::Skip),
            S::Assign(v, e) => {
                let t = e.term(self.p).wrap(ty(x(*v)));
                self.next(at, Op::Assign(vec![(x(*v), t)]))
            }
            S::Two(v, a, b) => {
                let (v, w) = (x(*v), x(v.wrapping_add(1)));
                let (a, b) = (a.term(self.p).wrap(ty(v)), b.term(self.p).wrap(ty(w)));
                self.next(at, Op::Assign(vec![(v, a), (w, b)]))
            }
            S::Havoc(v) => self.next(at, Op::Havoc { var: x(*v), source: InputSource::Nondet("n".into()) }),
            S::If(c, a, b) => {
                let c = c.term(self.p);
                let (yes, no) = (self.next(at, Op::Assume(c)), self.next(at, Op::Assume(c.not())));
                let (yes, no) = (self.block(yes, a), self.block(no, b));
                let join = self.next(yes, Op::Skip);
                self.edge(no, join, Op::Skip);
                join
            }
            S::While(c, body) => {
                let head = self.next(at, Op::Skip);
                let c = c.term(self.p);
                let inside = self.next(head, Op::Assume(c));
                let end = self.block(inside, body);
                self.edge(end, head, Op::Skip);
                self.next(head, Op::Assume(c.not()))
            }
            S::Assume(c) => {
                let c = c.term(self.p);
                self.next(at, Op::Assume(c))
            }
            S::Guard(c) => {
                let cond = c.term(self.p);
                self.next(at, Op::Guard { cond, ub: Ub::DivisionByZero })
            }
            S::Error(c) => {
                let c = c.term(self.p);
                let error = self.next(at, Op::Assume(c));
                self.p.functions[self.f].errors.push(error);
                self.next(at, Op::Assume(c.not()))
            }
            S::Call(e, v) if self.f != 1 => {
                let arg = e.term(self.p).wrap(I32);
                let v = x(v | 1);
                self.next(at, Op::Call { func: FuncId(1), args: vec![arg], dst: Some(v) })
            }
            S::CallG if self.f == 0 => self.next(at, Op::Call { func: FuncId(2), args: vec![], dst: None }),
            S::CallG if self.f == 2 => self.next(at, Op::Skip),
            S::Call(..) | S::CallG => {
                let t = self.p.term(PARAM).add(self.p.term(LOCAL)).wrap(I32);
                self.next(at, Op::Assign(vec![(RESULT, t)]))
            }
            S::Store(i, e) => {
                let t = e.term(self.p).wrap(I32);
                let m = Term::store(int, self.p.term(MEM), cell(*i), t);
                self.next(at, Op::Assign(vec![(MEM, m)]))
            }
            S::Load(v, i) => {
                let t = Term::load(int, self.p.term(MEM), cell(*i)).wrap(ty(x(*v)));
                self.next(at, Op::Assign(vec![(x(*v), t)]))
            }
            S::HavocObject => self.next(at, Op::HavocMem { region: RegionId(0), addr: Term::int(OBJECT), len: Term::int(8) }),
            S::Index(v) => {
                let a = self.p.term(x(*v)).bit_and(Term::int(1)).mul(Term::int(4)).plus(OBJECT);
                let m = Term::store(int, self.p.term(MEM), a, Term::int(7));
                self.next(at, Op::Assign(vec![(MEM, m)]))
            }
            S::Halt(c) => {
                let c = c.term(self.p);
                let end = self.next(at, Op::Assume(c));
                self.next(end, Op::Halt { status: Some(Term::int(0)) });
                self.next(at, Op::Assume(c.not()))
            }
        }
    }
}

/// Bodies for the entry, `f` and `g`, and jumps: from, to, condition.
pub type Source = (Vec<S>, Vec<S>, Vec<S>, Vec<(u8, u8, C)>);

pub fn build((main, f, g, jumps): &Source) -> Program {
    let mut p = empty();
    let mut line = 0;
    for (i, body) in [main, f, g].into_iter().enumerate() {
        let mut b = Build { p: &mut p, f: i, line: &mut line };
        let mut at = b.loc();
        if i == 0 {
            at = b.next(at, Op::Assign((0..4).map(|i| (x(i), Term::int(0))).collect()));
            let zeros = Term::splice(b.p.term(MEM), Term::zero_mem(Cell::Byte), Term::int(OBJECT), Term::int(8));
            at = b.next(at, Op::Assign(vec![(MEM, zeros)]));
        }
        if i == 1 {
            at = b.next(at, Op::Havoc { var: LOCAL, source: InputSource::Uninit("l".into()) });
            at = b.next(at, Op::Assign(vec![(RESULT, Term::int(1))]));
        }
        at = b.block(at, body);
        let exit = b.next(at, Op::Skip);
        b.p.functions[i].exit = exit;
        if i == 0 {
            let n = exit.0;
            for (from, to, c) in jumps {
                let (from, to) = (Loc(u32::from(*from) % n), Loc(2 + u32::from(*to) % (n - 1)));
                if !b.p.functions[0].errors.contains(&from) && from.0 > 2 {
                    let c = c.term(b.p);
                    b.edge(from, to, Op::Assume(c));
                }
            }
        }
    }
    p
}

fn e() -> impl Strategy<Value = E> {
    (0u8..4, 0u8..4, -3i8..12, 0u8..8).prop_map(|(a, b, k, s)| E(a, b, k, s))
}

fn c() -> impl Strategy<Value = C> {
    (0u8..4, 0u8..4, -2i8..9, 0u8..6).prop_map(|(a, b, k, s)| C(a, b, k, s))
}

pub fn block(symbolic: bool) -> impl Strategy<Value = Vec<S>> {
    let leaf = prop_oneof![
        3 => Just(S::Skip),
        6 => (0u8..4, e()).prop_map(|(v, e)| S::Assign(v, e)),
        2 => (0u8..4, e(), e()).prop_map(|(v, a, b)| S::Two(v, a, b)),
        3 => (0u8..4).prop_map(S::Havoc),
        3 => c().prop_map(S::Assume),
        1 => c().prop_map(S::Guard),
        3 => c().prop_map(S::Error),
        2 => (e(), 0u8..4).prop_map(|(e, v)| S::Call(e, v)),
        1 => Just(S::CallG),
        3 => (0u8..2, e()).prop_map(|(i, e)| S::Store(i, e)),
        3 => (0u8..4, 0u8..2).prop_map(|(v, i)| S::Load(v, i)),
        1 => Just(S::HavocObject),
        1 => (0u8..4).prop_map(move |v| if symbolic { S::Index(v) } else { S::Havoc(v) }),
        1 => c().prop_map(S::Halt),
    ];
    let stmt = leaf.prop_recursive(3, 24, 4, |inner| {
        let body = proptest::collection::vec(inner, 0..4);
        prop_oneof![(c(), body.clone(), body.clone()).prop_map(|(c, a, b)| S::If(c, a, b)), (c(), body).prop_map(|(c, b)| S::While(c, b))]
    });
    proptest::collection::vec(stmt, 0..7)
}

pub fn source(symbolic: bool) -> impl Strategy<Value = Source> {
    (block(symbolic), block(symbolic), block(symbolic), proptest::collection::vec((any::<u8>(), any::<u8>(), c()), 0..8))
}

fn mix(parts: [u64; 4]) -> u64 {
    parts.into_iter().fold(0x9e37_79b9_7f4a_7c15, |h, p| {
        let z = (h ^ p).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb)
    })
}

fn small(h: u64) -> i64 {
    match h % 8 {
        0..=5 => (h >> 8) as i64 % 9 - 2,
        6 => (h >> 8) as i64 % 300,
        _ => i64::from((h >> 8) as i32),
    }
}

/// The end of a walk whose inputs depend on the line, on how often it was crossed, and on the seed; and the trace.
pub fn run(p: &Program, seed: u64, see: See<'_>) -> (End, Trace) {
    let mut crossed: BTreeMap<(u32, String), u64> = BTreeMap::new();
    let mut inputs = Vec::new();
    let mut supply = |f: FuncId, e: EdgeId, i: &Input| {
        let edge = p.function(f).graph.edge(e);
        let line = edge.span.line;
        let value = |name: &str, which: u64, n: u64, t: IntTy| {
            let _ = name;
            Value::Int(t.wrap(&IBig::from(small(mix([seed, u64::from(line), n, which])))))
        };
        let mut count = |name: &str| {
            let n = crossed.entry((line, name.to_owned())).or_default();
            *n += 1;
            *n
        };
        let v = match (&edge.op, i.var.ty) {
            (_, VarTy::Mem(cell)) => {
                let n = count("o");
                let mut m = MemValue::zero(cell);
                for k in 0..2u64 {
                    m.store(Scalar::Int(I32), &IBig::from(OBJECT + 4 * k), &value("o", k, n, I32));
                }
                Value::Mem(m)
            }
            (Op::Havoc { var, .. }, VarTy::Scalar(Scalar::Int(t))) => match p.var(*var).name.as_str() {
                // A cell that has become a variable takes what the object would have held.
                "o[0]" => value("o", 0, count("o[0]"), t),
                "o[1]" => value("o", 1, count("o[1]"), t),
                _ => value("", 9, count(""), t),
            },
            _ => return None,
        };
        inputs.push(InputValue { source: i.source.clone(), span: edge.span, value: v.clone() });
        Some(v)
    };
    let end = walk(p, &BTreeMap::new(), STEPS, &mut supply, see);
    (end, Trace { inputs, memory: BTreeMap::new() })
}

/// Whether the interpreter reaches the error from a trace.
pub fn replays(p: &Program, trace: &Trace) -> bool {
    let inputs = Replay::new(trace.inputs.iter().map(|i| i.value.clone()), trace.memory.clone());
    let limits = Limits { steps: 100 * STEPS, ..Limits::default() };
    let outcome = Interpreter::new(p, Box::new(inputs), Box::new(Discard), limits).run();
    matches!(outcome, Outcome::Error { .. })
}

/// The program that starts at a location of its entry function in a given state.
pub fn starting_at(p: &Program, l: Loc, vars: &[Value]) -> Program {
    let mut out = p.clone();
    let f = &mut out.functions[p.entry.0 as usize];
    let start = f.graph.add_loc(LocInfo::default());
    let mut updates = Vec::new();
    for (i, value) in vars.iter().enumerate() {
        let v = VarId(i as u32);
        match value {
            Value::Int(n) => updates.push((v, Term::int(n.clone()))),
            Value::Mem(m) => {
                let zeros = Term::splice(p.term(v), Term::zero_mem(Cell::Byte), Term::int(OBJECT), Term::int(8));
                let byte = |t: Term, a: u64| Term::store(Scalar::Int(U8), t, Term::int(a), Term::int(m.get(&IBig::from(a))));
                updates.push((v, (OBJECT..OBJECT + 8).fold(zeros, byte)));
            }
            _ => {}
        }
    }
    f.graph.add_edge(start, l, Op::Assign(updates), Span::NONE);
    f.entry = start;
    out
}

/// A state with one variable or one cell changed.
pub fn perturbed(vars: &[Value], seed: u64) -> Vec<Value> {
    let mut out = vars.to_vec();
    let h = mix([seed, 1, 2, 3]);
    let n = IBig::from(small(mix([seed, 4, 5, 6])));
    match h % 9 {
        i @ 0..=3 => out[1 + i as usize] = Value::Int(ty(x(i as u8)).wrap(&n)),
        i @ 4..=6 => out[2 + i as usize] = Value::Int(I32.wrap(&n)),
        i => {
            if let Value::Mem(m) = &mut out[MEM.0 as usize] {
                m.store(Scalar::Int(I32), &IBig::from(OBJECT + 4 * (i - 7)), &Value::Int(I32.wrap(&n)));
            }
        }
    }
    out
}
