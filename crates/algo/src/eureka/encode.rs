//! `encode(Trace, P)`: the trace formulae of a path over the original program with arrays (seed 003, Section 5 and Table 3).
//!
//! Scalar variables are in single assignment form: each assignment makes a new version and a formula `v_{j+1} = e'`; each condition is a formula. Arrays
//! are terms: the store at the end of a path is `store(store(a₀, e₁, w₁), e₂, w₂)…` with a formula `w = e'` for each value written, so that a core
//! tells which writes matter. Beside it goes the same execution with all values substituted, where an index that is a numeral under the trace shows as one.

use crate::ufo::refine::same;
use crate::unroll::Asked;
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::{EdgeId, Effect, FuncId, Loc, Op, Program, RegionId, VarKind};
use plumb_term::visit::{postorder, vars, Rewriter};
use plumb_term::{Kind, Scalar, Term, Var, VarId, VarTy};
use std::collections::{BTreeMap, BTreeSet};

/// A `select(a, e)` in a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Select {
    /// The array's region.
    pub region: RegionId,
    /// What is read.
    pub ty: Scalar,
    /// The address, over the versions of variables.
    pub addr: Term,
    /// The address with all values substituted.
    pub value: Term,
}

/// One formula of a trace.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The formula.
    pub term: Term,
    /// The program's variables in it.
    pub variables: BTreeSet<VarId>,
    /// What it reads.
    pub selects: Vec<Select>,
}

/// The formulae of a trace.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// In the order of the path.
    pub formulae: Vec<Formula>,
    /// The inputs of the path, in order.
    pub asked: Vec<Asked>,
    /// The variables in the addresses of writes, by region.
    pub written: BTreeMap<RegionId, BTreeSet<VarId>>,
    /// Whether a condition is false by its values alone; what comes after it was left out.
    pub refuted: bool,
}

/// The two executions.
struct Encoder<'p> {
    program: &'p Program,
    calls: CallGraph,
    /// The current version of scalars; the current term of memories.
    now: BTreeMap<VarId, Term>,
    versions: BTreeMap<VarId, u32>,
    /// All values substituted.
    values: BTreeMap<VarId, Term>,
    next_aux: u32,
    /// The saved variables of suspended activations, and what takes the result.
    frames: Vec<Frame>,
    out: Encoded,
}

struct Frame {
    /// Where the caller goes on.
    back: (FuncId, Loc),
    dst: Option<VarId>,
    saved: Vec<(VarId, Option<Term>, Option<Term>)>,
}

/// The formulae of a path.
pub fn encode(program: &Program, path: &[(FuncId, EdgeId)]) -> Encoded {
    let mut e = Encoder {
        program,
        calls: CallGraph::new(program),
        now: BTreeMap::new(),
        versions: BTreeMap::new(),
        values: BTreeMap::new(),
        next_aux: VarId::FIRST_AUX.0,
        frames: Vec::new(),
        out: Encoded::default(),
    };
    for (f, id) in path {
        e.cross(*f, *id);
        if e.out.refuted {
            break;
        }
    }
    e.out
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
                let args: Vec<(Term, Term, Formula)> =
                    args.iter().map(|a| (self.renamed(*a), self.value(*a), self.formula(&[*a]))).collect();
                let own = program.vars.iter().enumerate().filter(|(_, v)| v.func == Some(*func)).map(|(i, _)| VarId(i as u32));
                let saved = if self.calls.is_recursive(*func) {
                    own.map(|v| (v, self.now.get(&v).copied(), self.values.get(&v).copied())).collect()
                } else {
                    Vec::new()
                };
                self.frames.push(Frame { back: (f, edge.to), dst: *dst, saved });
                for (p, (renamed, value, formula)) in callee.params.iter().zip(args) {
                    self.write(*p, renamed, value, formula);
                }
                self.leave((*func, callee.entry));
            }
            op => {
                let Some(effect) = Effect::of(op, program) else { return };
                self.assume(effect.assume);
                let first = self.next_aux;
                self.next_aux += effect.inputs.len() as u32;
                for (i, input) in effect.inputs.iter().enumerate() {
                    let var = Var { id: VarId(first + i as u32), ..input.var };
                    self.out.asked.push(Asked { var, source: input.source.clone(), span: edge.span, condition: Term::tt() });
                }
                let fresh = |t: Term| {
                    Rewriter::new().rewrite(t, &mut |n| match n.kind() {
                        Kind::Var(v) if v.id >= VarId::FIRST_AUX => {
                            Some(Term::var(Var { id: VarId(first + v.id.0 - VarId::FIRST_AUX.0), ..*v }))
                        }
                        _ => None,
                    })
                };
                // All operands are read before anything is written.
                let mut writes = Vec::new();
                for (v, t) in &effect.updates {
                    let t = fresh(*t);
                    let value = self.value(t);
                    match program.var(*v).kind {
                        VarKind::Region(r) => {
                            let memory = self.memory(r, t);
                            writes.push((*v, memory, value, None));
                        }
                        _ => writes.push((*v, self.renamed(t), value, Some(self.formula(&[t])))),
                    }
                }
                for (v, renamed, value, formula) in writes {
                    match formula {
                        Some(formula) => self.write(v, renamed, value, formula),
                        None => {
                            self.now.insert(v, renamed);
                            self.values.insert(v, value);
                        }
                    }
                }
                self.leave((f, edge.to));
            }
        }
    }

    /// Returns from functions whose exit is come to.
    fn leave(&mut self, mut at: (FuncId, Loc)) {
        let program = self.program;
        while at.1 == program.function(at.0).exit {
            let Some(frame) = self.frames.pop() else { return };
            let result = program.function(at.0).result.map(|r| program.term(r)).zip(frame.dst).map(|(r, d)| {
                let formula = self.formula(&[r]);
                (d, self.renamed(r), self.value(r), formula)
            });
            for (v, now, value) in frame.saved {
                restore(&mut self.now, v, now);
                restore(&mut self.values, v, value);
            }
            if let Some((d, renamed, value, formula)) = result {
                self.write(d, renamed, value, formula);
            }
            at = frame.back;
        }
    }

    /// A condition, one formula for each of its conjuncts.
    fn assume(&mut self, condition: Term) {
        for c in condition.conjuncts() {
            if c.is_true() {
                continue;
            }
            let formula = Formula { term: self.renamed(c), ..self.formula(&[c]) };
            self.out.refuted |= self.value(c).is_false();
            self.out.formulae.push(formula);
        }
    }

    /// `v_{j+1} = e'`.
    fn write(&mut self, v: VarId, renamed: Term, value: Term, formula: Formula) {
        let version = self.versions.entry(v).or_default();
        *version += 1;
        let new = Term::var(Var::new(v, self.program.var(v).ty).at(*version));
        let mut variables = formula.variables.clone();
        variables.insert(v);
        self.out.formulae.push(Formula { term: same(new, renamed), variables, ..formula });
        self.now.insert(v, new);
        self.values.insert(v, value);
    }

    /// The new contents of a memory, with a name for each value written.
    fn memory(&mut self, r: RegionId, t: Term) -> Term {
        let mut chain = Vec::new();
        let mut base = t;
        while let Kind::Store(_, inner, ..) | Kind::Splice { mem: inner, .. } = base.kind() {
            chain.push(base);
            base = *inner;
        }
        let mut memory = self.renamed(base);
        for link in chain.into_iter().rev() {
            memory = match link.kind() {
                Kind::Store(ty, _, a, v) => {
                    let mut formula = self.formula(&[*v]);
                    let addresses = self.formula(&[*a]);
                    self.out.written.entry(r).or_default().extend(addresses.variables.iter().copied());
                    formula.selects.extend(addresses.selects);
                    let stored = match ty {
                        Scalar::Int(i) => self.renamed(*v).wrap(*i),
                        Scalar::Float(_) => self.renamed(*v),
                    };
                    let name = Term::var(Var::new(VarId(self.next_aux), VarTy::Scalar(*ty)));
                    self.next_aux += 1;
                    self.out.formulae.push(Formula { term: same(name, stored), ..formula });
                    Term::store(*ty, memory, self.renamed(*a), name)
                }
                Kind::Splice { src, lo, len, .. } => Term::splice(memory, self.renamed(*src), self.renamed(*lo), self.renamed(*len)),
                _ => memory,
            };
        }
        memory
    }

    /// What a formula made of terms of the program says it is about.
    fn formula(&self, terms: &[Term]) -> Formula {
        let program = self.program;
        let scalar = |v: &Var| v.id < VarId::FIRST_AUX && !program.is_memory(v.id);
        let variables = vars(terms.iter().copied()).into_iter().filter(scalar).map(|v| v.id).collect();
        let mut selects = Vec::new();
        for n in postorder(terms.iter().copied()) {
            let Kind::Load(ty, m, a) = n.kind() else { continue };
            for v in vars([*m]) {
                if let Some(VarKind::Region(region)) = program.vars.get(v.id.0 as usize).map(|i| i.kind) {
                    selects.push(Select { region, ty: *ty, addr: self.renamed(*a), value: self.value(*a) });
                }
            }
        }
        Formula { term: Term::tt(), variables, selects }
    }

    fn renamed(&self, t: Term) -> Term {
        over(self.program, &self.now, t)
    }

    fn value(&self, t: Term) -> Term {
        over(self.program, &self.values, t)
    }
}

fn restore(map: &mut BTreeMap<VarId, Term>, v: VarId, t: Option<Term>) {
    match t {
        Some(t) => _ = map.insert(v, t),
        None => _ = map.remove(&v),
    }
}

/// A term over the values of variables.
fn over(program: &Program, values: &BTreeMap<VarId, Term>, t: Term) -> Term {
    Rewriter::new().rewrite(t, &mut |n| match n.kind() {
        Kind::Var(v) if v.id < VarId::FIRST_AUX && v.version == 0 => Some(values.get(&v.id).copied().unwrap_or_else(|| program.term(v.id))),
        _ => None,
    })
}
