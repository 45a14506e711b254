//! Phases of loops: regions of states at a cut point that take different ways through the blocks behind it.
//!
//! One convex element for all states of a loop with phases (`if (x < 500) …; else …;`) relates nothing in either of them. Where few comparisons tell the
//! ways apart, each combination of them that has states gets an element of its own.

use super::track::decisions;
use crate::space::Space;
use crate::system::{CutId, System};
use plumb_num::{ConsKind, Dim, LinCons};
use plumb_smt::Entailment;
use plumb_term::Term;
use std::collections::BTreeSet;

/// A cut point with more comparisons than this is not split.
const MAX_GUARDS: usize = 4;
/// Nor is one that would have more phases.
const MAX_PHASES: usize = 8;

/// The phases at a cut point where the dimensions `here` are tracked: formulas of which each state satisfies exactly one. One phase is no split.
pub fn phases(solver: &mut Entailment, space: &Space, system: &System, cut: CutId, here: &BTreeSet<Dim>) -> Vec<Term> {
    let mut guards: BTreeSet<LinCons> = BTreeSet::new();
    let always = always(system, cut);
    for t in system.transitions.iter().filter(|t| t.from == cut) {
        let parts = decisions(t).into_iter().flat_map(Term::conjuncts).filter(|c| !always.contains(c));
        let compared = parts.flat_map(|f| space.compared(f));
        for e in compared.filter(|e| e.dims().all(|d| here.contains(&d))) {
            // Of a comparison and its negation, one.
            let c = LinCons::new(e, ConsKind::Ge);
            if !guards.contains(&c.negated()) {
                guards.insert(c);
            }
        }
    }
    let whole = vec![Term::tt()];
    if guards.is_empty() || guards.len() > MAX_GUARDS {
        return whole;
    }
    let mut out = whole.clone();
    for g in &guards {
        let g = space.term(g);
        let both = out.iter().flat_map(|p| [p.and(g), p.and(g.not())]);
        out = both.filter(|p| !p.is_false()).collect();
        out.retain(|p| !solver.entails(*p, Term::ff()));
    }
    if out.len() > MAX_PHASES {
        whole
    } else {
        out
    }
}

/// What every way out of a cut point assumes, and so tells none apart.
fn always(system: &System, cut: CutId) -> BTreeSet<Term> {
    let blocks = system.transitions.iter().filter(|t| t.from == cut).map(|t| t.condition);
    let errors = system.errors.iter().filter(|e| e.0 == cut).map(|e| e.1);
    let ways = blocks.chain(errors).map(|c| c.conjuncts().into_iter().collect::<BTreeSet<Term>>());
    ways.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default()
}
