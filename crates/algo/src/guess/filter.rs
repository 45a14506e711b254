//! The greatest set of candidates that all blocks preserve.
//!
//! All candidates are assumed, and dropped when a block does not preserve them, until none is left to drop (Houdini: Flanagan, Leino, FME 2001).
//! Those without products are asked for together, and a counterexample drops many; those with products one by one, as refutations come
//! from a weaker view of them that has no counterexamples.

use super::candidates::Candidates;
use crate::query::{Answer, Queries};
use crate::system::System;
use plumb_term::visit::{postorder, size};
use plumb_term::{Budget, Kind, Term};
use std::collections::BTreeSet;
use std::time::Duration;

/// A question that takes longer counts against the candidates it is about.
const PATIENCE: Duration = Duration::from_millis(400);

/// Whether a bound or the like means something with products, here or before some block: the questions about it are hard, and most answers are no.
pub fn is_hard(system: &System, cut: usize, t: Term) -> bool {
    !is_plain(t)
        || (0..system.transitions.len()).any(|i| system.transitions[i].to.0 == cut && !is_plain(system.before(&system.transitions[i], t)))
}

/// Drops candidates until every block preserves what is left; false if there is no time for it.
pub fn greatest(system: &System, left: &mut [Candidates], queries: &mut Queries<'_>, budget: &Budget) -> bool {
    let mut work: BTreeSet<usize> = (0..system.transitions.len()).collect();
    while let Some(i) = work.pop_first() {
        let to = system.transitions[i].to.0;
        let before = left[to].linear.len() + left[to].nonlinear.len();
        if !linear(system, i, left, queries, budget) || !nonlinear(system, i, left, queries, budget) {
            return false;
        }
        if left[to].linear.len() + left[to].nonlinear.len() < before {
            work.extend((0..system.transitions.len()).filter(|k| system.transitions[*k].from.0 == to));
        }
    }
    true
}

/// Whether there are no products in a term.
fn is_plain(t: Term) -> bool {
    !postorder([t]).iter().any(|n| matches!(n.kind(), Kind::Mul(..)))
}

/// Those candidates without products whose meaning after the block has none, either. What the block's condition says of products is not
/// assumed: it rarely matters, and where it does a candidate is lost.
fn linear(system: &System, block: usize, left: &mut [Candidates], queries: &mut Queries<'_>, budget: &Budget) -> bool {
    let (from, to) = (system.transitions[block].from.0, system.transitions[block].to.0);
    let condition = Term::all(system.transitions[block].condition.conjuncts().into_iter().filter(|c| is_plain(*c)));
    let meant = left[to].linear.iter().map(|t| (*t, system.before(&system.transitions[block], *t)));
    let mut asked: Vec<(Term, Term)> = meant.filter(|(_, t)| is_plain(*t)).collect();
    let mut held: Vec<(Term, Term)> = Vec::new();
    let mut most = usize::MAX;
    asked.sort_by_key(|(t, _)| size(*t));
    while !asked.is_empty() {
        if budget.is_over() {
            return false;
        }
        let assumed = Term::all(left[from].linear.iter().copied());
        let now: Vec<(Term, Term)> = asked.iter().take(most).copied().collect();
        let bad = Term::all(now.iter().map(|(_, t)| *t)).not();
        let formula = condition.and(assumed).and(bad);
        let mut dropped: Vec<Term> = Vec::new();
        match queries.quick(formula, PATIENCE) {
            Answer::Unsat => {
                held.extend(asked.drain(..now.len()));
                continue;
            }
            Answer::Sat(model) => {
                let fails = |(_, t): &&(Term, Term)| model.holds(*t) != Some(true);
                dropped.extend(asked.iter().chain(&held).filter(fails).map(|(t, _)| *t));
                if !now.iter().any(|(t, _)| dropped.contains(t)) {
                    dropped.extend(now.iter().map(|(t, _)| *t));
                }
            }
            Answer::Unknown(_) if now.len() > 1 => {
                most = now.len() / 2;
                continue;
            }
            Answer::Unknown(_) => dropped.extend(now.iter().map(|(t, _)| *t)),
        }
        let gone: BTreeSet<Term> = dropped.into_iter().collect();
        left[to].linear.retain(|t| !gone.contains(t));
        asked.retain(|(t, _)| !gone.contains(t));
        held.retain(|(t, _)| !gone.contains(t));
        if from == to {
            // What was assumed is less now.
            asked.append(&mut held);
        }
    }
    true
}

/// The others.
fn nonlinear(system: &System, block: usize, left: &mut [Candidates], queries: &mut Queries<'_>, budget: &Budget) -> bool {
    let (from, to) = (system.transitions[block].from.0, system.transitions[block].to.0);
    loop {
        let before = left[to].nonlinear.len() + left[to].linear.len();
        let own: Vec<Term> = left[to].linear.iter().chain(&left[to].nonlinear).copied().collect();
        for t in own {
            let meant = system.before(&system.transitions[block], t);
            if is_plain(t) && is_plain(meant) {
                continue;
            }
            if budget.is_over() {
                return false;
            }
            let condition = system.transitions[block].condition;
            let given = |all: bool| {
                let candidates = left[from].nonlinear.iter().chain(&left[from].linear).copied();
                Term::all(candidates.filter(|c| all || matches!(c.kind(), Kind::Eq(..)))).and(condition).and(meant.not())
            };
            // Equations mostly follow from equations, and that is seen soon.
            if !queries.refuted(given(false), PATIENCE / 8) && !queries.refuted(given(true), PATIENCE) {
                left[to].linear.retain(|c| *c != t);
                left[to].nonlinear.retain(|c| *c != t);
            }
        }
        // Of a loop of one block, less is assumed now.
        if from != to || left[to].nonlinear.len() + left[to].linear.len() == before {
            return true;
        }
    }
}
