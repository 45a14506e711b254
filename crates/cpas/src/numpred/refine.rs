//! Refinement of the precision (Section VI of the paper): from an unsatisfiable core of a path that no execution takes, first the numeric variables, then predicates.
//!
//! Predicates are the atoms of the weakest preconditions of the core's conditions, and the atoms of interpolants; which of both sources comes first alternates, since the first follows
//! a loop round by round where the second may find what all rounds have in common.

use super::engine::{Kinds, Precision};
use super::Ends;
use crate::path::conditions;
use crate::predicate::refine::{core, same, Interpolate};
use crate::predicate::Blocks;
use plumb_cfa::liveness::Liveness;
use plumb_cpa::{Flow, Place, Site, StepId};
use plumb_term::visit::{atoms, size, substitute, vars};
use plumb_term::{Budget, Sort, Term, Var, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Longer atoms are no predicates.
const MAX_ATOM: usize = 40;
/// So many new predicates one refinement brings at most.
const MAX_NEW: usize = 12;

/// A path that no execution takes from a state of which something is given: the invariant at a cut, or nothing at the entry.
pub(super) struct Spurious<'a> {
    pub(super) given: Term,
    pub(super) path: &'a [StepId],
    /// The positions of steps whose conditions contradict each other and what is given.
    pub(super) contradiction: Vec<usize>,
}

/// The refined precision; nothing if there is nothing new to follow.
pub(super) fn refined(
    flow: &Flow<'_>,
    spurious: &Spurious<'_>,
    prec: &Precision,
    kinds: Kinds,
    (ends, live): (&Ends, &Liveness),
    budget: &Budget,
) -> Option<Precision> {
    let Spurious { given, path, contradiction } = spurious;
    let mut out = prec.clone();
    if kinds.numbers {
        // What no block hands to the next is local to one.
        let places: Vec<Place> = path.iter().map(|s| flow.step(*s).to).filter(|p| ends.has(Some(*p))).collect();
        let handed = |v: &VarId| places.iter().any(|p| live.is_live(p.func, p.loc, *v));
        out.numeric.extend(numbers(flow, spurious, budget).into_iter().filter(handed));
        if out != *prec {
            return Some(out);
        }
    }
    if !kinds.predicates {
        return None;
    }
    out.refinements += 1;
    let new = |found: Vec<Term>| new_predicates(prec, found);
    let weakest = || new(preconditions(flow, path, contradiction, ends));
    let between = || {
        let at_end = |s: Site| s.cut || ends.has(s.place);
        let labels = Interpolate::new(Blocks::Loops, budget).labels(flow, *given, path, &at_end).unwrap_or_default();
        new(labels.into_iter().flat_map(|(_, label): (Place, Term)| atoms(label)).collect())
    };
    let sources: [&dyn Fn() -> Vec<Term>; 2] = if prec.refinements % 2 == 0 { [&weakest, &between] } else { [&between, &weakest] };
    for source in sources {
        let found = source();
        if !found.is_empty() {
            out.predicates.extend(found);
            return Some(out);
        }
    }
    None
}

/// Those atoms that can be predicates and are none yet.
fn new_predicates(prec: &Precision, found: Vec<Term>) -> Vec<Term> {
    let mut seen = BTreeSet::new();
    let useful = |p: &Term| size(*p) <= MAX_ATOM && !vars([*p]).is_empty() && vars([*p]).iter().all(|v| v.id < VarId::FIRST_AUX);
    let fresh = found.into_iter().filter(useful).filter(|p| !prec.predicates.contains(p) && !prec.predicates.contains(&p.not()));
    fresh.filter(|p| seen.insert(*p)).take(MAX_NEW).collect()
}

/// The precision that also follows what decides, at a cut, whether a path from there to the error is taken: for where the invariant there admits the path. Numbers come first again.
pub(super) fn following(flow: &Flow<'_>, from_cut: &[StepId], prec: &Precision, kinds: Kinds) -> Option<Precision> {
    let found: Vec<Term> = conditions(flow, from_cut).into_iter().flat_map(atoms).collect();
    let mut out = prec.clone();
    if kinds.numbers {
        let here = |v: &Var| v.id < VarId::FIRST_AUX && v.ty.sort() == Sort::Int && !flow.program().is_memory(v.id);
        out.numeric.extend(vars(found.iter().copied()).into_iter().filter(here).map(|v| v.id));
    }
    if out == *prec && kinds.predicates {
        out.predicates.extend(new_predicates(prec, found));
    }
    (out != *prec).then_some(out)
}

/// The integer variables of a contradiction along the path.
fn numbers(flow: &Flow<'_>, Spurious { given, path, contradiction }: &Spurious<'_>, budget: &Budget) -> BTreeSet<VarId> {
    let program = flow.program();
    let mut version: BTreeMap<VarId, u32> = BTreeMap::new();
    let mut parts: Vec<Term> = given.conjuncts();
    let mut inputs = 0;
    for (i, step) in path.iter().map(|s| flow.step(*s)).enumerate() {
        let first = inputs;
        inputs += step.effect.inputs.len() as u32;
        let now = |t: Term| {
            substitute(t, &|v| {
                let var = if v.id < VarId::FIRST_AUX {
                    v.at(version.get(&v.id).copied().unwrap_or(0))
                } else {
                    Var { id: VarId(v.id.0 + first), ..v }
                };
                Some(Term::var(var))
            })
        };
        if contradiction.contains(&i) {
            parts.extend(now(step.condition()).conjuncts());
        }
        let values: Vec<(VarId, Term)> = step.updates().iter().map(|(v, t)| (*v, now(*t))).collect();
        for (v, value) in values {
            let next = version.entry(v).or_insert(0);
            *next += 1;
            parts.push(same(Term::var(Var::new(v, program.var(v).ty).at(*next)), value));
        }
    }
    let Some(core) = core(&[parts], budget) else { return BTreeSet::new() };
    let all = vars(core).into_iter().filter(|v| v.id < VarId::FIRST_AUX && v.ty.sort() == Sort::Int && !program.is_memory(v.id));
    all.map(|v| v.id).collect()
}

/// The atoms of the weakest preconditions of the contradicting conditions, at the ends of blocks that they pass, later ones first.
fn preconditions(flow: &Flow<'_>, path: &[StepId], contradiction: &[usize], ends: &Ends) -> Vec<Term> {
    let mut out = Vec::new();
    for i in contradiction.iter().rev() {
        let Some(id) = path.get(*i) else { continue };
        let mut t = flow.step(*id).condition();
        for j in (0..*i).rev() {
            let step = flow.step(path[j]);
            if ends.has(Some(step.to)) {
                out.extend(atoms(t));
            }
            let values: BTreeMap<VarId, Term> = step.updates().iter().copied().collect();
            t = substitute(t, &|v| values.get(&v.id).copied());
            if t.as_bool().is_some() || vars([t]).iter().any(|v| v.id >= VarId::FIRST_AUX) {
                break;
            }
        }
    }
    out
}
