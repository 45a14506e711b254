//! More general formulas that still serve.
//!
//! **Problem.** A label that was read off a proof says what this proof needed: constants of this unrolling, conjuncts that another conjunct makes idle. What makes loops converge is
//! generality. [`weaken`] tries small changes, in a fixed order, keeps what the judge accepts, and stops after a number of questions.
//!
//! **Contract.** The result was accepted by the judge, or is the given formula. The judge decides alone what a label has to satisfy (both its incoming and its outgoing edges: some
//! of the changes are incomparable).

use super::Measure;
use crate::formula::Formula;
use crate::linear::Linear;
use plumb_num::Int;

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Questions to the judge.
    pub questions: usize,
    /// Places in the formula at which something is tried.
    pub places: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { questions: 60, places: 48 }
    }
}

/// A place in a formula: which child, from the top downwards.
type Place = Vec<usize>;

/// A formula that `accept` accepts, with fewer or more general atoms than `formula`.
pub fn weaken(formula: &Formula, limits: Limits, accept: &mut dyn FnMut(&Formula) -> bool) -> Formula {
    let mut search = Search { best: formula.clone(), questions: limits.questions, accept };
    search.drop_parts(limits.places);
    search.change_atoms(limits.places);
    search.best
}

struct Search<'a> {
    best: Formula,
    questions: usize,
    accept: &'a mut dyn FnMut(&Formula) -> bool,
}

impl Search<'_> {
    fn ask(&mut self, candidate: Formula) -> bool {
        if candidate == self.best || self.questions == 0 {
            return false;
        }
        self.questions -= 1;
        let accepted = (self.accept)(&candidate);
        if accepted {
            self.best = candidate;
        }
        accepted
    }

    /// Replaces conjuncts by true, the larger ones first, then disjuncts by false.
    fn drop_parts(&mut self, limit: usize) {
        for conjuncts in [true, false] {
            let mut tried: Vec<Formula> = Vec::new();
            loop {
                let mut places = places(&self.best, limit);
                places.retain(|(p, inside_and)| !p.is_empty() && *inside_and == conjuncts);
                places.sort_by_key(|(p, _)| std::cmp::Reverse(at(&self.best, p).map(Measure::of)));
                let next = places.into_iter().find(|(p, _)| at(&self.best, p).is_some_and(|f| !tried.contains(f)));
                let Some((place, _)) = next else { break };
                if self.questions == 0 {
                    return;
                }
                let Some(part) = at(&self.best, &place).cloned() else { break };
                tried.push(part);
                let candidate = replace(&self.best, &place, &Formula::Constant(conjuncts));
                self.ask(candidate);
            }
        }
    }

    /// Makes linear atoms simpler, one after the other.
    fn change_atoms(&mut self, limit: usize) {
        for (place, _) in places(&self.best, limit) {
            let Some(Formula::LessEq(t, strict)) = at(&self.best, &place).cloned() else { continue };
            let mut t = t;
            for x in t.terms().iter().map(|t| t.0).collect::<Vec<_>>() {
                // Without this variable, if others are left.
                let without = Linear::new(t.terms().iter().filter(|u| u.0 != x).cloned(), t.offset().clone());
                if !without.is_constant() && self.ask(replace(&self.best, &place, &Formula::LessEq(without.clone(), strict))) {
                    t = without;
                }
            }
            self.relax(&place, &t, strict);
        }
    }

    /// A smaller constant makes `t + c ≤ 0` weaker: zero is the nicest, otherwise as far as it goes in doubling steps.
    fn relax(&mut self, place: &Place, t: &Linear, strict: bool) {
        let with = |c: Int| Linear::new(t.terms().iter().cloned(), c);
        if t.offset().is_positive() {
            self.ask(replace(&self.best, place, &Formula::LessEq(with(Int::ZERO), strict)));
        }
        let (mut step, mut now) = (
            Int::ONE,
            match at(&self.best, place) {
                Some(Formula::LessEq(t, _)) => t.offset().clone(),
                _ => return,
            },
        );
        for _ in 0..4 {
            let next = &now - &step;
            if !self.ask(replace(&self.best, place, &Formula::LessEq(with(next.clone()), strict))) {
                break;
            }
            now = next;
            step = &step + &step;
        }
    }
}

/// The places of a formula, from the top downwards, at most `limit`; with each whether it is a conjunct.
fn places(formula: &Formula, limit: usize) -> Vec<(Place, bool)> {
    let mut out: Vec<(Place, bool)> = vec![(Vec::new(), true)];
    let mut next = 0;
    while next < out.len() && out.len() < limit {
        let (place, _) = out[next].clone();
        if let Some(Formula::And(children) | Formula::Or(children)) = at(formula, &place) {
            let conjunct = matches!(at(formula, &place), Some(Formula::And(_)));
            out.extend((0..children.len()).map(|i| (place.iter().copied().chain([i]).collect(), conjunct)));
        }
        next += 1;
    }
    out.truncate(limit);
    out
}

fn at<'f>(formula: &'f Formula, place: &[usize]) -> Option<&'f Formula> {
    place.iter().try_fold(formula, |f, i| match f {
        Formula::And(children) | Formula::Or(children) => children.get(*i),
        _ => None,
    })
}

/// `formula` with another part at `place`; truth values disappear.
fn replace(formula: &Formula, place: &[usize], by: &Formula) -> Formula {
    let Some((first, rest)) = place.split_first() else { return by.clone() };
    let (children, conjunction) = match formula {
        Formula::And(children) => (children, true),
        Formula::Or(children) => (children, false),
        other => return other.clone(),
    };
    let mut out = Vec::with_capacity(children.len());
    for (i, c) in children.iter().enumerate() {
        let c = if i == *first { replace(c, rest, by) } else { c.clone() };
        match c {
            Formula::Constant(b) if b == conjunction => {}
            Formula::Constant(b) => return Formula::Constant(b),
            other => out.push(other),
        }
    }
    match (out.len(), conjunction) {
        (0, _) => Formula::Constant(conjunction),
        (1, _) => out.swap_remove(0),
        (_, true) => Formula::And(out.into()),
        (_, false) => Formula::Or(out.into()),
    }
}
