//! `encode(Trace, P)`: the trace formulae of a path over the original program with arrays (seed 003, Section 5 and Table 3).
//!
//! The paper names the value of each assignment and leaves it to the prover to put them together. Here values are substituted as the path goes: a formula is a condition
//! of the path over inputs and initial contents alone, in which an index that is a numeral under the trace is one. What a proof by substitution would mention is
//! noted beside each value: the variables through which it went, the elements from which it was read ([`Needs`]).

use crate::eureka::memory::Memory;
use crate::unroll::Asked;
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::{EdgeId, Effect, FuncId, Loc, Op, Program, RegionId, VarKind};
use plumb_term::visit::{postorder, rebuild};
use plumb_term::{Budget, Kind, Scalar, Sort, Term, Var, VarId};
use plumb_transform::array_index::Element;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A read whose index is no numeral.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Select {
    /// The array's region.
    pub region: RegionId,
    /// What is read.
    pub ty: Scalar,
    /// The address, over inputs.
    pub addr: Term,
}

/// Something that a value was computed from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Need {
    /// A scalar variable.
    Variable(VarId),
    /// An array element at a numeral.
    Element(Element),
    /// An array element at another index.
    Select(Select),
}

/// All that a value was computed from.
#[derive(Clone, Debug, Default)]
pub struct Needs(Arc<BTreeSet<Need>>);

impl Needs {
    /// What they are.
    pub fn iter(&self) -> impl Iterator<Item = Need> + '_ {
        self.0.iter().copied()
    }

    pub(super) fn add(&mut self, need: Need) {
        if !self.0.contains(&need) {
            Arc::make_mut(&mut self.0).insert(need);
        }
    }

    pub(super) fn extend(&mut self, other: &Needs) {
        if self.0.is_empty() {
            self.0 = other.0.clone();
        } else if !Arc::ptr_eq(&self.0, &other.0) && !other.0.is_subset(&self.0) {
            Arc::make_mut(&mut self.0).extend(other.0.iter().copied());
        }
    }
}

/// One formula of a trace.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The condition, over inputs and initial contents.
    pub term: Term,
    /// What it was computed from.
    pub needs: Needs,
}

/// The formulae of a trace.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// In the order of the path; if the last one is false, what comes after it was left out.
    pub formulae: Vec<Formula>,
    /// The inputs of the path, in order.
    pub asked: Vec<Asked>,
}

type Value = (Term, Needs);

struct Encoder<'p> {
    program: &'p Program,
    calls: CallGraph,
    scalars: BTreeMap<VarId, Value>,
    memories: BTreeMap<VarId, Memory>,
    next_input: u32,
    frames: Vec<Frame>,
    out: Encoded,
}

struct Frame {
    /// Where the caller goes on.
    back: (FuncId, Loc),
    dst: Option<VarId>,
    /// The variables of the callee as the activation below has them.
    saved: Vec<(VarId, Option<Value>)>,
}

/// The formulae of a path; nothing if the budget ends first.
pub fn encode(program: &Program, path: &[(FuncId, EdgeId)], budget: &Budget) -> Option<Encoded> {
    let mut e = Encoder {
        program,
        calls: CallGraph::new(program),
        scalars: BTreeMap::new(),
        memories: BTreeMap::new(),
        next_input: VarId::FIRST_AUX.0,
        frames: Vec::new(),
        out: Encoded::default(),
    };
    for (i, (f, id)) in path.iter().enumerate() {
        if i % 256 == 0 && budget.is_over() {
            return None;
        }
        e.cross(*f, *id);
        if e.out.formulae.last().is_some_and(|f| f.term.is_false()) {
            break;
        }
    }
    Some(e.out)
}

impl Encoder<'_> {
    fn cross(&mut self, f: FuncId, id: EdgeId) {
        let program = self.program;
        let graph = &program.function(f).graph;
        let edge = graph.edge(id);
        self.assume(not_preempted(graph, id));
        match &edge.op {
            Op::Call { func, args, dst } => {
                let callee = program.function(*func);
                let args: Vec<Value> = args.iter().map(|a| self.value(*a, 0)).collect();
                let own = program.vars.iter().enumerate().filter(|(_, v)| v.func == Some(*func)).map(|(i, _)| VarId(i as u32));
                let recursive = self.calls.is_recursive(*func);
                let saved = own.filter(|_| recursive).map(|v| (v, self.scalars.get(&v).cloned())).collect();
                self.frames.push(Frame { back: (f, edge.to), dst: *dst, saved });
                for (p, value) in callee.params.iter().zip(args) {
                    self.write(*p, value);
                }
                self.leave((*func, callee.entry));
            }
            op => {
                let Some(effect) = Effect::of(op, program) else { return };
                self.assume(effect.assume);
                let first = self.next_input;
                self.next_input += effect.inputs.len() as u32;
                for (i, input) in effect.inputs.iter().enumerate() {
                    let var = Var { id: VarId(first + i as u32), ..input.var };
                    self.out.asked.push(Asked { var, source: input.source.clone(), span: edge.span, condition: Term::tt() });
                }
                // All operands are read before anything is written.
                let shift = first - VarId::FIRST_AUX.0;
                let scalar = |(v, _): &&(VarId, Term)| !program.is_memory(*v);
                let values: Vec<(VarId, Value)> = effect.updates.iter().filter(scalar).map(|(v, t)| (*v, self.value(*t, shift))).collect();
                let memories: Vec<(VarId, Writes)> =
                    effect.updates.iter().filter(|u| !scalar(u)).map(|(v, t)| (*v, self.writes(*v, *t, shift))).collect();
                values.into_iter().for_each(|(v, value)| self.write(v, value));
                memories.into_iter().for_each(|(v, writes)| self.apply(v, writes));
                self.leave((f, edge.to));
            }
        }
    }

    /// Returns from functions whose exit is come to.
    fn leave(&mut self, mut at: (FuncId, Loc)) {
        let program = self.program;
        while at.1 == program.function(at.0).exit {
            let Some(frame) = self.frames.pop() else { return };
            let result = program.function(at.0).result.zip(frame.dst).map(|(r, d)| (d, self.value(program.term(r), 0)));
            for (v, value) in frame.saved {
                match value {
                    Some(value) => _ = self.scalars.insert(v, value),
                    None => _ = self.scalars.remove(&v),
                }
            }
            if let Some((d, value)) = result {
                self.write(d, value);
            }
            at = frame.back;
        }
    }

    /// A condition, one formula for each of its conjuncts that is not true by its values.
    fn assume(&mut self, condition: Term) {
        for c in condition.conjuncts() {
            let (term, needs) = self.value(c, 0);
            if !term.is_true() {
                self.out.formulae.push(Formula { term, needs });
            }
            if term.is_false() {
                return;
            }
        }
    }

    fn write(&mut self, v: VarId, (term, mut needs): Value) {
        needs.add(Need::Variable(v));
        self.scalars.insert(v, (term, needs));
    }

    /// The contents of a region's variable, initially what they are.
    fn contents(&self, v: VarId) -> Memory {
        self.memories.get(&v).cloned().unwrap_or_else(|| Memory::new(self.program.term(v)))
    }

    /// A scalar term in the current state; inputs are those from `shift` on.
    fn value(&self, t: Term, shift: u32) -> Value {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut needs = Needs::default();
        for n in postorder([t]) {
            let new = match n.kind() {
                Kind::Var(v) if v.id >= VarId::FIRST_AUX => Term::var(Var { id: VarId(v.id.0 + shift), ..*v }),
                // Asked for where it is needed: a memory may be large.
                Kind::Var(_) if matches!(n.sort(), Sort::Mem(_)) => continue,
                Kind::Var(v) => match self.scalars.get(&v.id) {
                    Some((value, from)) => {
                        needs.extend(from);
                        *value
                    }
                    None => {
                        needs.add(Need::Variable(v.id));
                        n
                    }
                },
                Kind::Load(ty, m, a) => match m.as_var().and_then(|v| self.region(v.id)) {
                    Some(region) => {
                        let addr = done[a];
                        needs.add(need(region, *ty, addr));
                        let (value, from) = self.memories.get(&self.program.region(region).var).map_or_else(
                            || (Term::load(*ty, self.program.memory(region), addr), Needs::default()),
                            |memory| memory.load(*ty, addr),
                        );
                        needs.extend(&from);
                        value
                    }
                    None => {
                        for v in plumb_term::visit::vars([*m]) {
                            if let Some(region) = self.region(v.id) {
                                needs.add(need(region, *ty, done[a]));
                                needs.extend(&self.contents(v.id).all());
                            }
                        }
                        rebuild(n, &|c| self.known(&done, c))
                    }
                },
                _ => rebuild(n, &|c| self.known(&done, c)),
            };
            done.insert(n, new);
        }
        (self.known(&done, t), needs)
    }

    fn known(&self, done: &FxHashMap<Term, Term>, t: Term) -> Term {
        let contents = || t.as_var().map_or(t, |v| self.contents(v.id).term());
        done.get(&t).copied().unwrap_or_else(contents)
    }

    fn region(&self, v: VarId) -> Option<RegionId> {
        match self.program.vars.get(v.0 as usize)?.kind {
            VarKind::Region(r) => Some(r),
            _ => None,
        }
    }

    /// The writes that make the new contents of a memory, in order, and what they are made on: other contents than its own, if any.
    fn writes(&self, own: VarId, t: Term, shift: u32) -> Writes {
        let mut chain = Vec::new();
        let mut base = t;
        while let Kind::Store(_, inner, ..) | Kind::Splice { mem: inner, .. } = base.kind() {
            chain.push(base);
            base = *inner;
        }
        let other = base.as_var().is_none_or(|v| v.id != own).then(|| Memory::new(self.value(base, shift).0));
        let mut out = Vec::new();
        for link in chain.into_iter().rev() {
            match link.kind() {
                Kind::Store(ty, _, a, v) => {
                    let ((addr, mut needs), (value, from)) = (self.value(*a, shift), self.value(*v, shift));
                    needs.extend(&from);
                    out.push(Write::Scalar(*ty, addr, value, needs));
                }
                Kind::Splice { src, lo, len, .. } => {
                    let (src, from) = self.value(*src, shift);
                    out.push(Write::Splice(src, self.value(*lo, shift).0, self.value(*len, shift).0, from));
                }
                _ => {}
            }
        }
        (other, out)
    }

    fn apply(&mut self, own: VarId, (other, writes): Writes) {
        let memory = self.memories.entry(own).or_insert_with(|| Memory::new(self.program.term(own)));
        if let Some(other) = other {
            *memory = other;
        }
        for w in writes {
            match w {
                Write::Scalar(ty, addr, value, needs) => memory.store(ty, addr, value, needs),
                Write::Splice(src, lo, len, needs) => memory.splice(src, lo, len, &needs),
            }
        }
    }
}

/// Contents to begin with, if they are not the memory's own, and changes in order.
type Writes = (Option<Memory>, Vec<Write>);

/// A change of a memory.
enum Write {
    /// Of a scalar of a type at an address to a value.
    Scalar(Scalar, Term, Term, Needs),
    /// Of the cells from an address on, so many, to those of another memory.
    Splice(Term, Term, Term, Needs),
}

/// What a read needs.
fn need(region: RegionId, ty: Scalar, addr: Term) -> Need {
    match addr.as_int().and_then(|a| u64::try_from(a).ok()) {
        Some(addr) => Need::Element(Element { region, addr, ty }),
        None => Need::Select(Select { region, ty, addr }),
    }
}
