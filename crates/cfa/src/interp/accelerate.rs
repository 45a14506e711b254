//! Loops that go on in a straight line are taken many times at once.
//!
//! **Problem.** An error after a hundred million iterations of a counting loop is out of reach if each of them is executed.
//!
//! **Picture.** The edges from a loop head to its next visit are composed to one parallel assignment and the conditions under which exactly these edges
//! are crossed. If all of them are linear, the state `s` becomes `s + δ`, and if the assignment takes the direction δ to itself, iteration
//! t starts in `s + t·δ` as long as the conditions hold and no wrap cuts anything off. Both are linear in t, so the first iteration that differs is found
//! by division.
//!
//! **Contract.** Exact: the state after a jump over k iterations, and the number of steps, are those that k iterations would lead to. What is not
//! linear, reads or writes memory, or takes an input is not jumped over; a term whose variables do not change is a constant. Source: acceleration
//! of linear loops with translations (Boigelot, "Symbolic methods for exploring infinite state spaces", 1999), on one state.

use crate::choice::not_preempted;
use crate::effect::Effect;
use crate::graph::{EdgeId, Loc};
use crate::op::Op;
use crate::program::{FuncId, Program};
use plumb_term::eval::{eval, Value};
use plumb_term::visit::{vars, Rewriter};
use plumb_term::{IBig, IntTy, Kind, Sort, Term, Var, VarId, VarTy};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Visits of a head before the first attempt.
const WARM: u64 = 64;
/// Edges of one iteration.
const MOST_EDGES: usize = 1000;
/// Operators above each other in one term.
const MOST_DEPTH: usize = 100;
/// Fewer iterations are executed.
const WORTHWHILE: u64 = 16;

/// A step of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Crossing {
    Edge(FuncId, EdgeId),
    /// From a callee; its result goes to the variable.
    Return(FuncId, Option<VarId>),
}

/// An iteration under way.
struct Trail {
    func: FuncId,
    head: Loc,
    depth: usize,
    crossings: Vec<Crossing>,
}

/// Watches loop heads.
#[derive(Default)]
pub(super) struct Accelerator {
    heads: FxHashMap<(FuncId, Loc), (u64, u64)>,
    trail: Option<Trail>,
}

/// Iterations that need not be executed.
pub(super) struct Jump {
    /// How many.
    pub(super) iterations: u64,
    /// The variables that change, and their values after them.
    pub(super) values: Vec<(VarId, IBig)>,
    /// Edges of one iteration.
    pub(super) edges: u64,
}

impl Accelerator {
    /// A head is visited; the iteration that ends here, if one was watched.
    pub(super) fn arrive(&mut self, func: FuncId, head: Loc, depth: usize) -> Option<Vec<Crossing>> {
        if let Some(t) = self.trail.take_if(|t| t.func == func && t.head == head && t.depth == depth) {
            return Some(t.crossings);
        }
        let (visits, next) = self.heads.entry((func, head)).or_insert((0, WARM));
        *visits += 1;
        if *visits >= *next && self.trail.is_none() {
            *next = *visits * 2;
            self.trail = Some(Trail { func, head, depth, crossings: Vec::new() });
        }
        None
    }

    /// An attempt at a head was worthwhile: the next one may be soon.
    pub(super) fn encourage(&mut self, func: FuncId, head: Loc) {
        if let Some((visits, next)) = self.heads.get_mut(&(func, head)) {
            *next = *visits + 2;
        }
    }

    /// Whether an iteration is watched.
    pub(super) fn is_watching(&self) -> bool {
        self.trail.is_some()
    }

    /// A step of the iteration that is watched.
    pub(super) fn cross(&mut self, crossing: Crossing) {
        if let Some(t) = &mut self.trail {
            t.crossings.push(crossing);
            if t.crossings.len() > MOST_EDGES {
                self.trail = None;
            }
        }
    }

    /// An activation ends that leaves so many below it: an iteration of its own loop is over.
    pub(super) fn leave(&mut self, depth: usize) {
        self.trail.take_if(|t| depth < t.depth);
    }

    /// Stops watching.
    pub(super) fn forget(&mut self) {
        self.trail = None;
    }
}

/// The iterations with these crossings that can be jumped over from the present state, in at most `steps` steps.
pub(super) fn jump(program: &Program, crossings: &[Crossing], state: &dyn Fn(VarId) -> Option<Value>, steps: u64) -> Option<Jump> {
    // To return is no step.
    let edges = crossings.iter().filter(|c| matches!(c, Crossing::Edge(..))).count() as u64;
    let path = Path::of(program, crossings)?;
    let mut line = Line { state, program, constraints: Vec::new(), frozen: BTreeSet::new() };
    for c in &path.conditions {
        line.condition(*c, true, 0)?;
    }
    let mut updates: Vec<(VarId, Linear)> = Vec::new();
    for (v, t) in &path.updates {
        match t.sort() {
            Sort::Int => updates.push((*v, line.linear(*t, 0)?)),
            Sort::Bool => {
                // It must have the same value again and again.
                let Value::Bool(now) = state(*v)? else { return None };
                line.condition(*t, now, 0)?;
            }
            _ => return None,
        }
    }
    let mut by: BTreeMap<VarId, IBig> = BTreeMap::new();
    for (v, l) in &updates {
        by.insert(*v, l.at(state)? - integer(state, *v)?);
    }
    by.retain(|_, d| *d != IBig::ZERO);
    if updates.iter().any(|(v, l)| l.along(&by) != by.get(v).cloned().unwrap_or_default()) {
        return None;
    }
    if line.frozen.iter().any(|v| by.contains_key(v)) {
        return None;
    }
    let mut iterations = steps / edges.max(1);
    for (l, kind) in &line.constraints {
        if let Some(bound) = first_violation(&l.at(state)?, &l.along(&by), *kind) {
            iterations = iterations.min(bound);
        }
    }
    if iterations < WORTHWHILE {
        return None;
    }
    let k = IBig::from(iterations);
    let values = by.iter().map(|(v, d)| integer(state, *v).map(|n| (*v, n + d * &k)));
    Some(Jump { iterations, values: values.collect::<Option<_>>()?, edges })
}

fn integer(state: &dyn Fn(VarId) -> Option<Value>, v: VarId) -> Option<IBig> {
    match state(v)? {
        Value::Int(n) => Some(n),
        _ => None,
    }
}

/// One iteration: when exactly its edges are crossed, and what it assigns.
struct Path {
    conditions: Vec<Term>,
    updates: Vec<(VarId, Term)>,
}

impl Path {
    fn of(program: &Program, crossings: &[Crossing]) -> Option<Path> {
        let mut store: FxHashMap<VarId, Option<Term>> = FxHashMap::default();
        let mut conditions = Vec::new();
        let mut inner: BTreeSet<VarId> = BTreeSet::new();
        for c in crossings {
            match c {
                Crossing::Edge(func, id) => {
                    let graph = &program.function(*func).graph;
                    conditions.push(value(&store, not_preempted(graph, *id))?);
                    match &graph.edge(*id).op {
                        Op::Call { func, args, .. } => {
                            let values: Option<Vec<Term>> = args.iter().map(|a| value(&store, *a)).collect();
                            let callee = program.function(*func);
                            for v in &callee.locals {
                                store.insert(*v, None);
                                inner.insert(*v);
                            }
                            for (p, t) in callee.params.iter().zip(values?) {
                                store.insert(*p, Some(t));
                                inner.insert(*p);
                            }
                        }
                        op @ (Op::Skip | Op::Assume(_) | Op::Guard { .. } | Op::Assign(_)) => {
                            let effect = Effect::of(op, program)?;
                            conditions.push(value(&store, effect.assume)?);
                            let new: Option<Vec<(VarId, Term)>> =
                                effect.updates.iter().map(|(v, t)| value(&store, *t).map(|t| (*v, t))).collect();
                            store.extend(new?.into_iter().map(|(v, t)| (v, Some(t))));
                        }
                        _ => return None,
                    }
                }
                Crossing::Return(func, dst) => {
                    if let (Some(dst), Some(r)) = (dst, program.function(*func).result) {
                        let result = value(&store, program.term(r))?;
                        store.insert(*dst, Some(result));
                    }
                }
            }
        }
        let mut updates: Vec<(VarId, Term)> = Vec::new();
        for (v, t) in store.into_iter().filter(|(v, _)| !inner.contains(v)) {
            updates.push((v, t?));
        }
        updates.sort_unstable_by_key(|u| u.0);
        Some(Path { conditions, updates })
    }
}

/// A term after the assignments so far; nothing if it reads what has no value.
fn value(store: &FxHashMap<VarId, Option<Term>>, t: Term) -> Option<Term> {
    let mut unset = false;
    let new = Rewriter::new().rewrite(t, &mut |n| match n.kind() {
        Kind::Var(v) => match store.get(&v.id) {
            Some(Some(t)) => Some(*t),
            Some(None) => {
                unset = true;
                None
            }
            None => None,
        },
        _ => None,
    });
    (!unset).then_some(new)
}

/// A linear form of variables.
#[derive(Clone, Default)]
struct Linear {
    constant: IBig,
    parts: BTreeMap<VarId, IBig>,
}

impl Linear {
    fn add(&mut self, k: &IBig, o: &Linear) {
        self.constant += k * &o.constant;
        for (v, c) in &o.parts {
            *self.parts.entry(*v).or_default() += k * c;
        }
    }

    fn at(&self, state: &dyn Fn(VarId) -> Option<Value>) -> Option<IBig> {
        let mut sum = self.constant.clone();
        for (v, k) in &self.parts {
            sum += k * integer(state, *v)?;
        }
        Some(sum)
    }

    /// What one step changes.
    fn along(&self, by: &BTreeMap<VarId, IBig>) -> IBig {
        self.parts.iter().filter_map(|(v, k)| by.get(v).map(|d| k * d)).sum()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    NotNegative,
    Zero,
    NotZero,
}

/// The first t ≥ 0 for which `now + t·slope` has not this sign, if there is one.
fn first_violation(now: &IBig, slope: &IBig, sign: Sign) -> Option<u64> {
    let clamp = |n: IBig| u64::try_from(n).unwrap_or(u64::MAX);
    match sign {
        Sign::NotNegative if *now < IBig::ZERO => Some(0),
        Sign::NotNegative if *slope >= IBig::ZERO => None,
        Sign::NotNegative => Some(clamp(now / -slope).saturating_add(1)),
        Sign::Zero if *now != IBig::ZERO => Some(0),
        Sign::Zero => (*slope != IBig::ZERO).then_some(1),
        Sign::NotZero if *now == IBig::ZERO => Some(0),
        Sign::NotZero if *slope == IBig::ZERO => None,
        Sign::NotZero => {
            let meets = now % slope == IBig::ZERO && (*now < IBig::ZERO) != (*slope < IBig::ZERO);
            meets.then(|| clamp(-(now / slope)))
        }
    }
}

/// What must stay as it is now, for the line through the present state.
struct Line<'s> {
    state: &'s dyn Fn(VarId) -> Option<Value>,
    program: &'s Program,
    constraints: Vec<(Linear, Sign)>,
    /// Variables that must not change.
    frozen: BTreeSet<VarId>,
}

impl Line<'_> {
    fn now(&self, t: Term) -> Option<Value> {
        eval(t, &|v: Var| (self.state)(v.id))
    }

    fn truth(&self, t: Term) -> Option<bool> {
        match self.now(t)? {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The value of a term whose variables do not change.
    fn freeze(&mut self, t: Term) -> Option<Value> {
        let vars = vars([t]);
        if vars.iter().any(|v| matches!(v.ty, VarTy::Mem(_)) || v.id.0 as usize >= self.program.vars.len()) {
            return None;
        }
        let value = self.now(t)?;
        self.frozen.extend(vars.iter().map(|v| v.id));
        Some(value)
    }

    fn linear(&mut self, t: Term, depth: usize) -> Option<Linear> {
        if depth > MOST_DEPTH {
            return None;
        }
        match t.kind() {
            Kind::Int(n) => Some(Linear { constant: n.clone(), parts: BTreeMap::new() }),
            Kind::Var(v) => {
                integer(self.state, v.id)?;
                Some(Linear { constant: IBig::ZERO, parts: BTreeMap::from([(v.id, IBig::ONE)]) })
            }
            Kind::Lin(lin) => {
                let mut sum = Linear { constant: lin.constant.clone(), parts: BTreeMap::new() };
                for (k, a) in &lin.parts {
                    let part = self.linear(*a, depth + 1)?;
                    sum.add(k, &part);
                }
                Some(sum)
            }
            Kind::Wrap(ty, a) => {
                let inner = self.linear(*a, depth + 1)?;
                let mut above = inner.clone();
                above.constant -= IntTy::min(*ty);
                let mut below = Linear { constant: IntTy::max(*ty), parts: BTreeMap::new() };
                below.add(&IBig::NEG_ONE, &inner);
                self.constraints.extend([(above, Sign::NotNegative), (below, Sign::NotNegative)]);
                Some(inner)
            }
            Kind::Ite(c, a, b) => {
                let now = self.truth(*c)?;
                self.condition(*c, now, depth + 1)?;
                self.linear(if now { *a } else { *b }, depth + 1)
            }
            _ => match self.freeze(t)? {
                Value::Int(n) => Some(Linear { constant: n, parts: BTreeMap::new() }),
                _ => None,
            },
        }
    }

    fn sign(&mut self, a: Term, b: Term, plus: i64, sign: Sign, depth: usize) -> Option<()> {
        let mut l = self.linear(b, depth + 1)?;
        let a = self.linear(a, depth + 1)?;
        l.add(&IBig::NEG_ONE, &a);
        l.constant += IBig::from(plus);
        self.constraints.push((l, sign));
        Some(())
    }

    /// A formula that has to have this truth value.
    fn condition(&mut self, t: Term, truth: bool, depth: usize) -> Option<()> {
        if depth > MOST_DEPTH || self.truth(t)? != truth {
            return None;
        }
        match t.kind() {
            Kind::Bool(_) => Some(()),
            Kind::Not(a) => self.condition(*a, !truth, depth + 1),
            Kind::And(ts) | Kind::Or(ts) => {
                // All have to keep the truth value, or one that decides.
                if matches!(t.kind(), Kind::And(_)) == truth {
                    return ts.iter().try_for_each(|c| self.condition(*c, truth, depth + 1));
                }
                let decides = ts.iter().find(|c| self.truth(**c) == Some(truth))?;
                self.condition(*decides, truth, depth + 1)
            }
            Kind::Ite(c, a, b) => {
                let now = self.truth(*c)?;
                self.condition(*c, now, depth + 1)?;
                self.condition(if now { *a } else { *b }, truth, depth + 1)
            }
            Kind::Le(a, b) if truth => self.sign(*a, *b, 0, Sign::NotNegative, depth),
            Kind::Le(a, b) => self.sign(*b, *a, -1, Sign::NotNegative, depth),
            Kind::Eq(a, b) if a.sort() == Sort::Int => self.sign(*a, *b, 0, if truth { Sign::Zero } else { Sign::NotZero }, depth),
            _ => self.freeze(t).map(|_| ()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_violation_is_where_counting_finds_it() {
        for now in -6i64..=6 {
            for slope in -4i64..=4 {
                for sign in [Sign::NotNegative, Sign::Zero, Sign::NotZero] {
                    let holds = |n: i64| match sign {
                        Sign::NotNegative => n >= 0,
                        Sign::Zero => n == 0,
                        Sign::NotZero => n != 0,
                    };
                    let counted = (0..20).find(|t| !holds(now + t * slope)).map(|t| t as u64);
                    assert_eq!(first_violation(&IBig::from(now), &IBig::from(slope), sign), counted, "{now} + t·{slope}");
                }
            }
        }
    }
}
