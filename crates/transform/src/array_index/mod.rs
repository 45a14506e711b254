//! Abstraction by variables and array elements: `abstract(P, V, R)` (seed 003, Section 4: Armando, Benerecetti, Mantovani, *Abstraction Refinement
//! of Linear Programs with Arrays*, TACAS 2007). Not exact: the new program has more executions.
//!
//! The new program has the variables of V, a variable `a^k` for each element in R, and no memory. Expressions are as in [`expr`]; an assignment
//! to a variable outside V is a skip; a write to memory becomes the parallel assignment `a^k := (i == k ? e : a^k)` to all elements of its region. The undefined
//! values that the edges of a location read are taken just before them, so that the branches of a condition agree on them.
//!
//! **What is preserved.** Every execution of the old program is one of the new program ([`Abstraction::undefined`] tells with which undefined
//! values), and a larger (V, R) has fewer executions (Theorems 1 and 2). **Proofs** come back with `load(memory, k)` for `a^k`. **Traces** become paths
//! of the old program ([`Abstraction::path`]), which need not be executable there.

mod expr;
mod op;
mod precision;

pub use expr::{Elements, Meaning, Undefined};
pub use precision::{Element, Precision};

use crate::draft::{prefixed, Draft, DraftEdge};
use crate::pass::{BackTranslation, Pass, PassError};
use crate::points::PointMap;
use crate::walk::{observe, zero};
use expr::{Reader, Scope};
use plumb_cfa::liveness::Liveness;
use plumb_cfa::{EdgeId, FuncId, Function, InputSource, Loc, LocInfo, Op, Program, VarInfo, VarKind};
use plumb_term::eval::{MemValue, Value};
use plumb_term::visit::{substitute, vars};
use plumb_term::{IBig, Span, Term, Var, VarId, VarTy};
use plumb_verdict::{InputValue, Proof, Trace};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How far a trace is followed.
const STEPS: u64 = 20_000_000;

/// The pass.
#[derive(Clone, Debug, Default)]
pub struct ArrayIndex {
    /// What is kept.
    pub precision: Precision,
}

/// An edge of the old program that a path crosses.
pub type Crossed = (FuncId, EdgeId);

/// The abstract program, with the way back.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The abstract program.
    pub program: Program,
    old: Program,
    elements: Elements,
    points: PointMap,
    undefined: BTreeMap<Crossed, Undefined>,
    /// The elements whose first values are inputs, in order.
    first: Vec<VarId>,
}

impl Pass for ArrayIndex {
    fn name(&self) -> &'static str {
        "array-index"
    }

    fn run(&self, program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        let made = self.apply(&program);
        Ok((made.program.clone(), Box::new(made)))
    }
}

impl ArrayIndex {
    /// `abstract(P, V, R)`.
    pub fn apply(&self, old: &Program) -> Abstraction {
        let precision = closed(old, &self.precision);
        let mut new = old.clone();
        let mut elements = Elements::default();
        for e in &precision.elements {
            let id = VarId(new.vars.len() as u32);
            let span = old.object_at(e.addr).map_or(Span::NONE, |o| o.span);
            let ty = VarTy::Scalar(e.ty);
            new.vars.push(VarInfo { name: e.name(old), c_type: e.ty.to_string(), ty, func: None, kind: VarKind::Temp, span });
            elements.by_element.insert(*e, id);
            elements.by_var.insert(id, *e);
        }
        let scope = Scope { program: old, precision: &precision, elements: &elements };
        let mut points = PointMap::default();
        let mut undefined = BTreeMap::new();
        for (i, f) in old.functions.iter().enumerate() {
            let id = FuncId(i as u32);
            let mut pool = Pool { func: id, vars: BTreeMap::new() };
            let mut draft = Draft::new(f);
            let mut taken: BTreeMap<(Loc, VarId), Undefined> = BTreeMap::new();
            for l in f.graph.locs() {
                let read = abstract_location(scope, f, l, &mut draft, &mut |ty, n| pool.get(&mut new, ty, n));
                taken.extend(read.into_iter().map(|u| ((l, u.var), u)));
            }
            let made = draft.finish();
            for (e, edge) in made.function.graph.edges() {
                if let Op::Havoc { var, .. } = edge.op {
                    if let Some(u) = taken.get(&(made.locs[edge.from.index()], var)) {
                        undefined.insert((id, e), *u);
                    }
                }
            }
            let locals = new.functions[i].locals.clone();
            new.functions[i] = Function { locals, ..points.add(made) };
        }
        let first = initial_values(&mut new, &elements, &mut points, &mut undefined);
        Abstraction { program: new, old: old.clone(), elements, points, undefined, first }
    }
}

/// V with the results of functions whose values go to variables of V.
fn closed(program: &Program, precision: &Precision) -> Precision {
    let mut out = precision.clone();
    loop {
        let before = out.variables.len();
        for f in &program.functions {
            for (_, e) in f.graph.edges() {
                if let Op::Call { func, dst: Some(d), .. } = &e.op {
                    if out.variables.contains(d) {
                        out.variables.extend(program.function(*func).result);
                    }
                }
            }
        }
        if out.variables.len() == before {
            return out;
        }
    }
}

/// The variables for undefined values of one function: those of one location are used again at the next.
struct Pool {
    func: FuncId,
    vars: BTreeMap<(VarTy, usize), VarId>,
}

impl Pool {
    fn get(&mut self, new: &mut Program, ty: VarTy, n: usize) -> VarId {
        let func = self.func;
        *self.vars.entry((ty, n)).or_insert_with(|| {
            let id = VarId(new.vars.len() as u32);
            let info =
                VarInfo { name: format!("u{n}"), c_type: String::new(), ty, func: Some(func), kind: VarKind::Temp, span: Span::NONE };
            new.vars.push(info);
            new.functions[func.0 as usize].locals.push(id);
            id
        })
    }
}

/// Abstracts the edges that leave a location; returns the undefined values they read.
fn abstract_location(scope: Scope<'_>, f: &Function, l: Loc, draft: &mut Draft<'_>, new_var: expr::NewVar<'_>) -> Vec<Undefined> {
    let out = f.graph.out_edges(l);
    let mut reader = Reader::new(scope, new_var);
    for e in out {
        draft.edges[e.index()].op = op::abstracted(scope, &f.graph.edge(*e).op, &mut reader);
    }
    // Only what is read is taken.
    let read: Vec<VarId> = out.iter().flat_map(|e| vars(draft.edges[e.index()].op.operands())).map(|v| v.id).collect();
    let undefined: Vec<Undefined> = reader.undefined.iter().copied().filter(|u| read.contains(&u.var)).collect();
    let Some(first) = out.first().filter(|_| !undefined.is_empty()) else { return undefined };
    let span = f.graph.edge(*first).span;
    let info = LocInfo { span: f.graph.loc(l).span, ..LocInfo::default() };
    let mut from = l;
    for u in &undefined {
        let to = draft.add_loc(info.clone(), l);
        let source = InputSource::Abstracted("a value that the abstraction does not keep".into());
        draft.edges.push(DraftEdge { old: *first, from, to, op: Op::Havoc { var: u.var, source }, span, alive: true });
        from = to;
    }
    for e in out {
        draft.edges[e.index()].from = from;
    }
    undefined
}

/// Makes inputs at the entry of the elements that are live there, and returns them in order.
fn initial_values(
    new: &mut Program,
    elements: &Elements,
    points: &mut PointMap,
    undefined: &mut BTreeMap<Crossed, Undefined>,
) -> Vec<VarId> {
    let entry = new.entry;
    let live = Liveness::new(new).live(entry, new.function(entry).entry);
    let first: Vec<VarId> = live.into_iter().filter(|v| elements.by_var.contains_key(v)).collect();
    if !first.is_empty() {
        let names: Vec<(VarId, String)> = first.iter().map(|v| (*v, new.var(*v).name.clone())).collect();
        let made = prefixed(new.function(entry), &names);
        points.replace(entry, &made);
        let moved = |((f, e), u): (&Crossed, &Undefined)| {
            let by = if *f == entry { first.len() as u32 } else { 0 };
            ((*f, EdgeId(e.0 + by)), *u)
        };
        *undefined = undefined.iter().map(moved).collect();
        new.functions[entry.0 as usize] = made.function;
    }
    first
}

impl Abstraction {
    /// The undefined value that an edge of the abstract program takes.
    pub fn undefined(&self, at: Crossed) -> Option<Undefined> {
        self.undefined.get(&at).copied()
    }

    /// The element that a variable of the abstract program stands for.
    pub fn element(&self, v: VarId) -> Option<Element> {
        self.elements.by_var.get(&v).copied()
    }

    /// The edge of the old program that an edge stands for; nothing for those that only take values.
    pub fn edge(&self, (f, e): Crossed) -> Option<Crossed> {
        let initial = f == self.program.entry && e.index() < self.first.len();
        (!initial && !self.undefined.contains_key(&(f, e))).then(|| (f, self.points.edge(f, e)))
    }

    /// The path of the old program that an execution of the new one goes.
    pub fn path(&self, trace: &Trace) -> Vec<Crossed> {
        let mut given = trace.inputs.iter();
        let mut out = Vec::new();
        let mut supply = |_, _, _: &plumb_cfa::Input| given.next().map(|i| i.value.clone());
        let mut cross = |f, e| out.extend(self.edge((f, e)));
        observe(&self.program, &trace.memory, STEPS, &mut supply, &mut |_, _, _, _| {}, &mut cross);
        out
    }
}

impl BackTranslation for Abstraction {
    fn proof(&self, proof: Proof) -> Proof {
        let load = |v: Var| {
            let e = self.elements.by_var.get(&v.id)?;
            let region = self.old.region(e.region);
            let memory = Var::new(region.var, VarTy::Mem(region.cell)).at(v.version);
            Some(Term::load(e.ty, Term::var(memory), Term::int(e.addr)))
        };
        let method = proof.method.rewritten(&mut |t| substitute(t, &load));
        self.points.proof(Proof { method, invariants: proof.invariants }, &mut |_, t| substitute(t, &load))
    }

    /// The inputs that the abstract execution took, zeros for those that the abstraction does not keep.
    fn trace(&self, trace: Trace) -> Trace {
        let mut out = Trace { memory: trace.memory.clone(), ..Trace::default() };
        let mut given = trace.inputs.iter();
        let taken: RefCell<Vec<(Crossed, Value)>> = RefCell::default();
        let mut supply = |f: FuncId, e: EdgeId, _: &plumb_cfa::Input| {
            let value = given.next()?.value.clone();
            taken.borrow_mut().push(((f, e), value.clone()));
            Some(value)
        };
        let mut cross = |f: FuncId, e: EdgeId| {
            if let Some(at) = self.edge((f, e)) {
                self.inputs(at, &taken.take(), &mut out);
            }
        };
        observe(&self.program, &trace.memory, STEPS, &mut supply, &mut |_, _, _, _| {}, &mut cross);
        out
    }
}

impl Abstraction {
    /// The inputs of an edge of the old program, from the values that were taken for it and just before.
    fn inputs(&self, (f, e): Crossed, taken: &[(Crossed, Value)], out: &mut Trace) {
        for ((by, at), value) in taken {
            if let (Op::Havoc { var, .. }, None) = (&self.program.function(*by).graph.edge(*at).op, self.undefined((*by, *at))) {
                if let Some(el) = self.element(*var) {
                    let cell = self.old.region(el.region).cell;
                    out.memory.entry(el.region).or_insert_with(|| MemValue::zero(cell)).store(el.ty, &IBig::from(el.addr), value);
                }
            }
        }
        let edge = self.old.function(f).graph.edge(e);
        let Some(effect) = plumb_cfa::Effect::of(&edge.op, &self.old) else { return };
        for input in effect.inputs {
            let own = taken.iter().find(|t| self.edge(t.0) == Some((f, e))).map(|t| t.1.clone());
            let value = match &edge.op {
                Op::HavocMem { region, .. } => {
                    let mut m = MemValue::zero(self.old.region(*region).cell);
                    for (at, v) in taken {
                        if let Some(Undefined { meaning: Meaning::After(el), .. }) = self.undefined(*at) {
                            m.store(el.ty, &IBig::from(el.addr), v);
                        }
                    }
                    Value::Mem(m)
                }
                _ => own.unwrap_or_else(|| zero(input.var.ty)),
            };
            out.inputs.push(InputValue { source: input.source.clone(), span: edge.span, value });
        }
    }
}
