//! Refinement of regions: where the ranges of variables must be cut so that a path which no execution takes is not found again.
//!
//! **Problem.** Regions are cut at the constants that a program compares a variable with. What is computed from a whole region may lie in several others, although what
//! executions compute lies in one: then the analysis finds paths to the error that are none.
//!
//! **Algorithm.** The path is executed as far as the condition that contradicts it. A box around the values there, as large as bounds of terms allow, violates the
//! condition already; backward along the path, a box around the values before each assignment leads into the one after it. The sides of these boxes are
//! the new cuts: with them the states before are known to be in the box as soon as the first of them is. That is a weakest precondition within boxes around one
//! execution; which boxes are found costs answers, never the truth.

use super::Diagrams;
use plumb_cpa::{ranges, Flow, Kind as Change, StepId};
use plumb_term::visit::{as_bound, substitute, vars};
use plumb_term::{Kind, Range, Term, Var, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The values after which regions of variables end, beyond those that the program compares them with.
pub(super) type Cuts = BTreeMap<VarId, BTreeSet<i128>>;

/// Bounds of variables; those that are not there may have any value.
type Boxed = BTreeMap<VarId, Range>;

/// The larger of the boxes around `inner` with a property that larger boxes lack. What is said of `cheap` variables costs nothing, so it is the last to go.
fn widest(inner: Boxed, cheap: &dyn Fn(VarId) -> bool, limits: &dyn Fn(VarId) -> Range, holds: &dyn Fn(&Boxed) -> bool) -> Boxed {
    let mut out = inner;
    let mut order: Vec<VarId> = out.keys().copied().collect();
    order.sort_by_key(|v| cheap(*v));
    for v in order {
        let Some(around) = out.remove(&v) else { continue };
        if holds(&out) {
            continue;
        }
        let mut with = |r: Range| {
            out.insert(v, r);
            holds(&out)
        };
        let hi = farthest(around.hi, limits(v).hi, &mut |hi| with(Range { lo: around.lo, hi }));
        let lo = farthest(around.lo, limits(v).lo, &mut |lo| with(Range { lo, hi }));
        out.insert(v, Range { lo, hi });
    }
    out
}

/// The number farthest from the first one, as far as the second one at most or without a limit, with a property that the first one has and that ends somewhere.
fn farthest(from: Option<i128>, limit: Option<i128>, holds: &mut dyn FnMut(Option<i128>) -> bool) -> Option<i128> {
    if holds(None) {
        return None;
    }
    let (mut inside, mut outside) = from.zip(limit)?;
    while inside.abs_diff(outside) > 1 {
        let middle = inside + (outside - inside) / 2;
        if holds(Some(middle)) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    Some(inside)
}

/// Cuts that exclude a path, given the positions of steps whose conditions contradict each other; none if no box around its values violates the last of these.
pub(super) fn excluding(flow: &Flow<'_>, diagrams: &Diagrams<'_>, path: &[StepId], contradiction: &[usize]) -> Cuts {
    let mut found = Cuts::new();
    let Some(last) = contradiction.iter().max().copied().filter(|i| *i < path.len()) else { return found };
    let run = Run::along(flow, path, last);
    let limits = |v: VarId| flow.program().term(v).range();
    let cheap = |v: VarId| diagrams.layout.bits.contains_key(&v) && !diagrams.layout.cuts.contains_key(&v);
    let within_box = |b: &Boxed, v: VarId| b.get(&v).copied().unwrap_or_else(|| limits(v));
    let condition = flow.step(path[last]).condition();
    if !refuted(&|v| run.value(v), condition) {
        return found;
    }
    let mut cut = |v: VarId, r: Range| {
        let sides = [r.lo.and_then(|lo| lo.checked_sub(1)), r.hi];
        found.entry(v).or_default().extend(sides.into_iter().flatten());
    };
    let values = |run: &Run, t: Term| own(t).into_iter().map(|v| (v, run.value(v))).collect::<Boxed>();
    let violates = |b: &Boxed| refuted(&|v| within_box(b, v), condition);
    let mut needed = widest(values(&run, condition), &cheap, &limits, &violates);
    needed.iter().for_each(|(v, r)| cut(*v, *r));
    run.back(|before, step| {
        for (v, t) in flow.step(path[step]).updates() {
            let Some(goal) = needed.remove(v) else { continue };
            let leads = |b: &Boxed| within(ranges::eval(*t, &|x| within_box(b, x)), goal);
            let here = values(before, *t);
            // What an input decides cannot be known before.
            if !leads(&here) {
                continue;
            }
            for (x, r) in widest(here, &cheap, &limits, &leads) {
                cut(x, r);
                let both = needed.get(&x).map_or(r, |known| known.intersection(r));
                needed.insert(x, both);
            }
        }
    });
    found
}

/// The program's variables of a term.
fn own(t: Term) -> Vec<VarId> {
    vars([t]).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX).collect()
}

fn within(inner: Range, outer: Range) -> bool {
    inner.intersection(outer) == inner
}

/// Whether a condition is false for all values within bounds, as far as bounds of its comparisons tell.
fn refuted(of: &dyn Fn(VarId) -> Range, condition: Term) -> bool {
    match condition.kind() {
        Kind::And(parts) => parts.iter().any(|p| refuted(of, *p)),
        Kind::Or(parts) => parts.iter().all(|p| refuted(of, *p)),
        Kind::Not(a) => match a.kind() {
            Kind::And(parts) => parts.iter().all(|p| refuted(of, p.not())),
            Kind::Or(parts) => parts.iter().any(|p| refuted(of, p.not())),
            _ => ranges::refutes(of, condition),
        },
        _ => ranges::refutes(of, condition),
    }
}

/// The values along a path, which inputs decide as far as its conditions leave them open.
struct Run {
    store: FxHashMap<VarId, Term>,
    /// Between which bounds inputs are, where a condition says so.
    inputs: FxHashMap<Var, Range>,
    /// The steps that were taken.
    taken: Vec<Taken>,
}

/// A step of a path, by its position, with the values that it replaced.
struct Taken {
    position: usize,
    replaced: Vec<(VarId, Option<Term>)>,
}

impl Run {
    /// As far as a step, which is not taken.
    fn along(flow: &Flow<'_>, path: &[StepId], end: usize) -> Run {
        let mut run = Run { store: FxHashMap::default(), inputs: FxHashMap::default(), taken: Vec::new() };
        let mut fresh = VarId::FIRST_AUX.0;
        for (i, step) in path.iter().map(|s| flow.step(*s)).enumerate().take(end) {
            let first = fresh;
            fresh += step.effect.inputs.len() as u32;
            let value = |v: Var| match v.id.0.checked_sub(VarId::FIRST_AUX.0) {
                None => run.store.get(&v.id).copied(),
                Some(_) if step.kind == Change::Return => None,
                Some(k) => {
                    let v = Var::new(VarId(first + k), v.ty);
                    Some(run.input(v).unwrap_or_else(|| Term::var(v)))
                }
            };
            let condition = substitute(step.condition(), &value);
            let new: Vec<(VarId, Term)> = step.updates().iter().map(|(v, t)| (*v, substitute(*t, &value))).collect();
            for (v, r) in condition.conjuncts().into_iter().filter_map(as_bound).filter(|(v, _)| v.id >= VarId::FIRST_AUX) {
                let known = run.inputs.entry(v).or_insert(Range::ALL);
                *known = known.intersection(r);
            }
            let replaced = new.into_iter().map(|(v, t)| (v, run.store.insert(v, t))).collect();
            run.taken.push(Taken { position: i, replaced });
        }
        run
    }

    /// An input that conditions determine.
    fn input(&self, v: Var) -> Option<Term> {
        let r = self.inputs.get(&v)?;
        r.lo.filter(|lo| r.hi == Some(*lo)).map(Term::int)
    }

    /// What a variable's value is, or between which bounds.
    fn value(&self, v: VarId) -> Range {
        let Some(t) = self.store.get(&v) else { return Range::ALL };
        let known = |v: Var| Some(self.inputs.get(&v)?.intersection(Term::var(v).range()));
        ranges::eval_with_inputs(substitute(*t, &|v| self.input(v)), &known)
    }

    /// Goes back along the path: for each step, the values before it.
    fn back(mut self, mut visit: impl FnMut(&Run, usize)) {
        while let Some(Taken { position, replaced }) = self.taken.pop() {
            for (v, t) in replaced.into_iter().rev() {
                match t {
                    Some(t) => self.store.insert(v, t),
                    None => self.store.remove(&v),
                };
            }
            visit(&self, position);
        }
    }
}
