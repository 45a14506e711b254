//! Predicate updates `choice(t, f)` by a solver (Section III, "using a theorem prover").
//!
//! `t` is a disjunction of cubes, over the predicates, over equations of addresses that are read, and over the numeric conditions that a write may turn the predicate into, each of which implies
//! the predicate's weakest precondition; `f` the same for its negation. So `y > 0` after `*p := x` is forced by `p = &y ∧ x > 0`, where x is a number (the paper's example). Cubes are single literals, and those found by models: the literals that hold in a model of the goal, cut down to an unsatisfiable core with the goal's negation.

use super::frame::Frame;
use crate::expr::Expr;
use plumb_term::visit::{atoms, postorder, vars, Rewriter};
use plumb_term::{Kind, Sort, Term, VarId};
use std::collections::BTreeSet;

/// So many cubes of several literals are looked for.
const MAX_CUBES: usize = 12;
/// So many models whose literals do not imply the goal are looked at.
const MAX_MISSES: usize = 6;
/// So many literals are combined.
const MAX_LITERALS: usize = 32;
/// Loads whose addresses are compared, at most.
const MAX_LOADS: usize = 6;

/// What answers questions about terms.
pub trait Oracle {
    /// Some of the assumptions that contradict the facts, if they are known to do so.
    fn core(&mut self, facts: &[Term], assumptions: &[Term]) -> Option<Vec<Term>>;

    /// The truth of some conditions in a model of the facts; nothing if none is known.
    fn model(&mut self, facts: &[Term], about: &[Term]) -> Option<Vec<bool>>;
}

/// `t` and `f` for a predicate with this weakest precondition, under the block's condition.
pub(super) fn choice(frame: &Frame, condition: Term, wp: Term, oracle: &mut dyn Oracle) -> (Expr, Expr) {
    match wp.as_bool() {
        Some(true) => (Expr::Bool(true), Expr::Bool(false)),
        Some(false) => (Expr::Bool(false), Expr::Bool(true)),
        None => {
            let mut literals = literals(frame, &[wp, condition], wp);
            literals.extend(numeric(frame, wp));
            (implicants(condition, wp, &literals, oracle), implicants(condition, wp.not(), &literals, oracle))
        }
    }
}

/// What the predicates must say where a block is taken, beyond what its condition says structurally.
pub(super) fn guard(frame: &Frame, condition: Term, oracle: &mut dyn Oracle) -> Expr {
    if frame.is_readable(condition) && frame.predicates().all(|(p, _)| frame.vocabulary().meaning(p).is_some()) {
        return Expr::Bool(true);
    }
    let literals = literals(frame, &[condition], condition);
    let literals: Vec<(Term, Expr)> = literals.into_iter().filter(|l| l.0 != condition && l.0.not() != condition).collect();
    if literals.is_empty() || condition.as_bool().is_some() {
        return Expr::Bool(true);
    }
    implicants(Term::tt(), condition.not(), &literals, oracle).negated()
}

/// The literals that may matter for a goal: predicates that share a variable with the terms, and equations of addresses.
fn literals(frame: &Frame, terms: &[Term], goal: Term) -> Vec<(Term, Expr)> {
    let about: BTreeSet<VarId> = vars(terms.iter().copied()).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX).collect();
    let near = |t: Term| vars([t]).iter().any(|v| about.contains(&v.id));
    let mut out: Vec<(Term, Expr)> = frame.predicates().filter(|(_, t)| near(*t)).map(|(p, t)| (t, Expr::pred(p))).collect();
    out.truncate(MAX_LITERALS);
    let loads = |roots: Vec<Term>| -> Vec<(Term, Term)> {
        let all = postorder(roots);
        let found = all.into_iter().filter_map(|n| if let Kind::Load(_, m, a) = n.kind() { Some((*m, *a)) } else { None });
        found.take(MAX_LOADS).collect()
    };
    let of_predicates = loads(out.iter().map(|l| l.0).collect());
    for (_, a) in loads(vec![goal]) {
        for (_, b) in &of_predicates {
            let same = a.equals(*b);
            if let Some(c) = frame.cons(same).filter(|_| a.sort() == Sort::Int && same.as_bool().is_none()) {
                if out.iter().all(|l| l.0 != same) {
                    out.push((same, Expr::cons(c)));
                }
            }
        }
    }
    out
}

/// The numeric conditions that a weakest precondition may come to: its own atoms, those with what a write has put where it reads, and whether that is the place.
fn numeric(frame: &Frame, wp: Term) -> Vec<(Term, Expr)> {
    let mut readings = vec![wp];
    for load in postorder([wp]) {
        let Kind::Load(ty, memory, address) = load.kind() else { continue };
        let mut memory = *memory;
        while let Kind::Store(of, before, at, value) = memory.kind() {
            if readings.len() > 2 * MAX_LOADS {
                break;
            }
            if of == ty {
                readings.push(address.equals(*at));
                readings.push(Rewriter::new().rewrite(wp, &mut |n| (n == load).then_some(*value)));
            }
            memory = *before;
        }
    }
    let mut seen = BTreeSet::new();
    let conditions = readings.into_iter().flat_map(atoms).filter(|a| frame.predicate(*a).is_none() && seen.insert(*a));
    conditions.filter_map(|a| Some((a, Expr::cons(frame.cons(a)?)))).take(MAX_LITERALS).collect()
}

/// A disjunction of cubes each of which implies the goal under the facts: all literals that do so alone, then others by models.
fn implicants(facts: Term, goal: Term, literals: &[(Term, Expr)], oracle: &mut dyn Oracle) -> Expr {
    let against = [facts, goal.not()];
    if oracle.core(&against, &[]).is_some() {
        return Expr::Bool(true);
    }
    let about: Vec<Term> = literals.iter().map(|l| l.0).collect();
    if about.is_empty() {
        return Expr::Bool(false);
    }
    let mut known = vec![facts, goal];
    let mut cubes = Vec::new();
    let signed = |t: Term, b: bool| if b { t } else { t.not() };
    // Where the goal fails, what holds there does not imply it.
    let mut failing: Vec<Vec<bool>> = oracle.model(&against, &about).into_iter().collect();
    let mut open = about.clone();
    for (i, (t, e)) in literals.iter().enumerate() {
        for sign in [true, false] {
            if failing.iter().any(|truth| truth[i] == sign) {
                continue;
            }
            let literal = signed(*t, sign);
            if let Some(truth) = oracle.model(&[facts, goal.not(), literal], &about) {
                failing.push(truth);
            } else if oracle.core(&against, &[literal]).is_some() {
                cubes.push(if sign { e.clone() } else { e.negated() });
                known.push(literal.not());
                open.retain(|o| o != t);
            }
        }
    }
    let mut misses = 0;
    while open.len() > 1 && cubes.len() < MAX_CUBES + literals.len() && misses < MAX_MISSES {
        let Some(truth) = oracle.model(&known, &open) else { break };
        let cube: Vec<Term> = open.iter().zip(&truth).map(|(t, b)| signed(*t, *b)).collect();
        let found = oracle.core(&against, &cube);
        let blocked = found.clone().unwrap_or_else(|| cube.clone());
        if let Some(core) = found {
            let literal = |t: &Term| {
                let positive = literals.iter().find(|l| l.0 == *t).map(|l| l.1.clone());
                positive.or_else(|| literals.iter().find(|l| l.0.not() == *t).map(|l| l.1.negated()))
            };
            cubes.push(Expr::all(core.iter().filter_map(literal)));
        } else {
            misses += 1;
        }
        known.push(Term::all(blocked).not());
    }
    Expr::any(cubes)
}
