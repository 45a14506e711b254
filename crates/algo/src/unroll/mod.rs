//! Unrolling: symbolic execution of the program in *waves*.
//!
//! A wave visits, in the order of the unwinding, every point that some pending state reaches without entering a loop head
//! more often, or nesting an activation deeper, than the wave's bound allows; paths that join are merged. States that would
//! go beyond the bound wait for the next wave. No point's work is repeated: a wave continues where the last one stopped. So an error
//! that is out of reach for all waves, when no state is waiting any more, is out of reach.
//!
//! Inputs are fresh variables; the [`Unroller`] keeps a log of them with the condition under which each was asked for, so that a
//! model of an error's condition yields the inputs of one execution, in order.

pub mod path;

use path::Path;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::store::Store;
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::{Effect, InputSource, Op, Point, Program};
use plumb_term::visit::Rewriter;
use plumb_term::{Budget, Kind, Span, Term, Var, VarId};
use std::collections::btree_map::{BTreeMap, Entry};

/// Points one block may visit.
pub const BLOCK_POINTS: usize = 500_000;

/// A symbolic state.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// When it is reached.
    pub path: Path,
    /// The values of the variables.
    pub store: Store,
}

/// An input that some executions ask for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The variable that stands for its value.
    pub var: Var,
    /// Where it comes from.
    pub source: InputSource,
    /// Where in the program.
    pub span: Span,
    /// Which executions.
    pub condition: Term,
}

/// How far a wave goes.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// Every loop head is entered again at most this often, and every function is nested at most this deep.
    Times(u32),
    /// To the next loop head, or to where a function is entered that is still active.
    Block,
    /// To the next loop head, or to where a recursive function is called.
    Call,
}

/// Where a wave's executions ended.
#[derive(Debug, Default)]
pub struct Wave {
    /// States that wait.
    pub waiting: BTreeMap<Unwound, State>,
    /// Error locations and when they are reached.
    pub errors: Vec<(Unwound, Term)>,
    /// Unsupported constructs and when they are reached.
    pub unsupported: Vec<(String, Span, Term)>,
    /// Returns from the functions in which the wave started.
    pub returned: Vec<(Unwound, State)>,
}

/// Symbolic execution of one program.
#[derive(Debug)]
pub struct Unroller<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    next_input: u32,
    /// The inputs asked for so far, every execution's in its order.
    pub asked: Vec<Asked>,
}

impl<'p> Unroller<'p> {
    /// Nothing executed yet.
    pub fn new(program: &'p Program, orders: &'p Orders<'p>) -> Unroller<'p> {
        Unroller { program, orders, next_input: VarId::FIRST_AUX.0, asked: Vec::new() }
    }

    /// The start of the program: the one state in which nothing is known.
    pub fn entry(&self) -> BTreeMap<Unwound, State> {
        let func = self.program.entry;
        let point = Point { stack: Vec::new(), func, loc: self.program.function(func).entry };
        BTreeMap::from([(Unwound::start(self.orders, &point), State::default())])
    }

    /// `t` over the program's variables, in state `s` at `at`.
    pub fn value(&self, s: &State, at: &Unwound, t: Term) -> Term {
        Rewriter::new().rewrite(t, &mut |n| match n.kind() {
            Kind::Var(v) if v.id < VarId::FIRST_AUX && v.version == 0 => Some(self.read(s, at, v.id)),
            _ => None,
        })
    }

    fn read(&self, s: &State, at: &Unwound, v: VarId) -> Term {
        s.store.get(self.program, self.orders.level(at, v), v)
    }

    fn write(&self, s: &mut State, at: &Unwound, v: VarId, value: Term) {
        s.store.set(self.orders.level(at, v), v, value);
    }

    /// Executes one wave; `None` when the budget ends or more than `max_points` are visited.
    pub fn wave(&mut self, mut pending: BTreeMap<Unwound, State>, bound: Bound, max_points: usize, budget: &Budget) -> Option<Wave> {
        let mut wave = Wave::default();
        let mut visited = 0;
        while let Some((at, s)) = pending.pop_first() {
            visited += 1;
            if visited > max_points || (visited % 32 == 0 && budget.is_over()) {
                return None;
            }
            for (to, s, stop) in self.leave(&at, s, bound, &mut wave) {
                add(self.program, if stop { &mut wave.waiting } else { &mut pending }, to, s);
            }
        }
        Some(wave)
    }

    /// All steps from one point, each with whether it must wait.
    fn leave(&mut self, at: &Unwound, mut s: State, bound: Bound, wave: &mut Wave) -> Vec<(Unwound, State, bool)> {
        let program = self.program;
        let function = program.function(at.func);
        if function.errors.contains(&at.loc) {
            wave.errors.push((at.clone(), s.path.condition()));
            return Vec::new();
        }
        if at.loc == function.exit {
            if at.depth() == 0 {
                wave.returned.push((at.clone(), s));
                return Vec::new();
            }
            return self.ret(at, s, bound).into_iter().collect();
        }
        let mut out = Vec::new();
        let edges = function.graph.out_edges(at.loc);
        for (i, id) in edges.iter().enumerate() {
            let last = i + 1 == edges.len();
            let mut next = if last { std::mem::take(&mut s) } else { s.clone() };
            let edge = function.graph.edge(*id);
            let turn = self.value(&next, at, not_preempted(&function.graph, *id));
            match next.path.and(turn) {
                Some(p) => next.path = p,
                None => continue,
            }
            match &edge.op {
                Op::Call { func, args, .. } => {
                    let callee = at.call(self.orders, *id, *func);
                    let values: Vec<Term> = args.iter().map(|a| self.value(&next, at, *a)).collect();
                    for (p, v) in program.function(*func).params.iter().zip(values) {
                        self.write(&mut next, &callee, *p, v);
                    }
                    let stop = self.stops(&callee, bound);
                    out.push((callee, next, stop));
                }
                Op::Unsupported(what) => wave.unsupported.push((what.clone(), edge.span, next.path.condition())),
                op => {
                    let Some(effect) = Effect::of(op, program) else { continue };
                    let crossed = self.cross(at, &mut next, &effect, edge.span);
                    if let (true, Some(to)) = (crossed, at.step(self.orders, edge.to)) {
                        let stop = self.stops(&to, bound);
                        out.push((to, next, stop));
                    }
                }
            }
        }
        out
    }

    fn ret(&mut self, at: &Unwound, mut s: State, bound: Bound) -> Option<(Unwound, State, bool)> {
        let program = self.program;
        let (site, to) = at.ret(self.orders)?;
        if let Op::Call { dst: Some(dst), .. } = &program.function(site.func).graph.edge(site.edge).op {
            if let Some(r) = program.function(at.func).result {
                let value = self.read(&s, at, r);
                self.write(&mut s, &to, *dst, value);
            }
        }
        let stop = self.stops(&to, bound);
        Some((to, s, stop))
    }

    fn stops(&self, at: &Unwound, bound: Bound) -> bool {
        match bound {
            Bound::Block => {
                let head = self.orders.wto(at.func).headed_by(at.loc).is_some();
                head || (at.loc == self.program.function(at.func).entry && at.activations(at.func) > 1)
            }
            Bound::Call => {
                self.orders.wto(at.func).headed_by(at.loc).is_some() || (at.depth() > 0 && self.orders.calls().is_recursive(at.func))
            }
            Bound::Times(k) => {
                at.iteration(self.orders).is_some_and(|i| i > k)
                    || (self.orders.calls().is_recursive(at.func)
                        && at.loc == self.program.function(at.func).entry
                        && at.activations(at.func) > k.saturating_add(1))
            }
        }
    }

    /// Applies an effect; false if it is obviously never crossed.
    fn cross(&mut self, at: &Unwound, s: &mut State, effect: &Effect, span: Span) -> bool {
        let mut fresh = Vec::with_capacity(effect.inputs.len());
        for input in &effect.inputs {
            fresh.push((input.var.id, Var { id: VarId(self.next_input), ..input.var }));
            self.next_input += 1;
        }
        let value = |this: &Self, s: &State, t: Term| {
            Rewriter::new().rewrite(t, &mut |n| match n.kind() {
                Kind::Var(v) if v.id >= VarId::FIRST_AUX => fresh.iter().find(|f| f.0 == v.id).map(|f| Term::var(f.1)),
                Kind::Var(v) if v.version == 0 => Some(this.read(s, at, v.id)),
                _ => None,
            })
        };
        match s.path.and(value(self, s, effect.assume)) {
            Some(p) => s.path = p,
            None => return false,
        }
        let values: Vec<Term> = effect.updates.iter().map(|(_, t)| value(self, s, *t)).collect();
        for ((v, _), t) in effect.updates.iter().zip(values) {
            self.write(s, at, *v, t);
        }
        for (input, (_, var)) in effect.inputs.iter().zip(fresh) {
            self.asked.push(Asked { var, source: input.source.clone(), span, condition: s.path.condition() });
        }
        true
    }
}

/// Adds a state to those that wait, merged with the one that waits at the same place.
pub fn add(program: &Program, states: &mut BTreeMap<Unwound, State>, at: Unwound, s: State) {
    match states.entry(at) {
        Entry::Vacant(e) => {
            e.insert(s);
        }
        Entry::Occupied(mut e) => merge(program, e.get_mut(), s),
    }
}

/// The union of two states at one point.
fn merge(program: &Program, s: &mut State, other: State) {
    let (common, own, theirs) = s.path.fork(&other.path);
    s.store.join(program, own, &other.store);
    s.path = common.with(own.or(theirs));
}
