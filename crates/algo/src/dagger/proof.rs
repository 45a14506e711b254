//! From a fixpoint to a proof: at each loop head the disjunction of its nodes' states. And to facts, where the fixpoint does not exclude the error.

use super::search::Search;
use plumb_cfa::Point;
use plumb_num::NumDomain;
use plumb_term::Term;
use plumb_verdict::{Facts, Method, Proof};
use std::collections::{BTreeMap, BTreeSet};

/// More states of one loop head are told by their hull alone.
const MAX_STATES: usize = 8;

impl<D: NumDomain> Search<'_, D> {
    /// The proof that an exploration without errors is.
    pub(super) fn proof(&self) -> Proof {
        let invariants = self.heads().map(|(at, states)| (at, Term::any(states.iter().rev().map(|e| self.formula(e))))).collect();
        Proof { method: Method::Inductive, invariants }
    }

    /// What an exploration shows that reaches errors: the states of each loop head, and apart from these what all of them satisfy.
    pub(super) fn facts(&self) -> Facts {
        let mut at = BTreeMap::new();
        for (point, states) in self.heads() {
            let hull = states.iter().fold(self.domain.bottom(), |hull, s| self.domain.join(&hull, s));
            let one_of = match states.len() {
                2..=MAX_STATES => Term::any(states.iter().rev().map(|e| self.formula(e))),
                _ => Term::tt(),
            };
            at.insert(point, self.formula(&hull).and(one_of));
        }
        Facts::new(at)
    }

    /// The loop heads that are entered, with their states that no other one includes.
    fn heads(&self) -> impl Iterator<Item = (Point, Vec<&D::Elem>)> {
        let control = self.model.control;
        let entered: BTreeSet<_> = control.ways.iter().map(|w| w.to).collect();
        control.cuts.iter().filter(move |l| entered.contains(l)).map(|l| {
            let mut kept: Vec<&D::Elem> = Vec::new();
            // Later states tend to be the weaker ones.
            for n in self.at[l.index()].iter().rev() {
                let state = &self.node(*n).state;
                if !kept.iter().any(|k| self.domain.leq(state, k)) {
                    kept.push(state);
                }
            }
            (Point { stack: Vec::new(), func: self.model.program.entry, loc: *l }, kept)
        })
    }

    /// The formula of an element.
    pub(super) fn formula(&self, e: &D::Elem) -> Term {
        Term::all(self.domain.constraints(e).iter().map(|c| self.model.space.term(c)))
    }
}
