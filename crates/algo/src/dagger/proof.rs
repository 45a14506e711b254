//! From a fixpoint to a proof: at each loop head the disjunction of its nodes' states.

use super::search::Search;
use plumb_cfa::Point;
use plumb_num::NumDomain;
use plumb_term::Term;
use plumb_verdict::{Method, Proof};
use std::collections::{BTreeMap, BTreeSet};

impl<D: NumDomain> Search<'_, D> {
    /// The proof that an exploration without errors is.
    pub(super) fn proof(&self) -> Proof {
        let control = self.model.control;
        let entered: BTreeSet<_> = control.ways.iter().map(|w| w.to).collect();
        let mut invariants = BTreeMap::new();
        for l in control.cuts.iter().filter(|l| entered.contains(l)) {
            let mut kept: Vec<&D::Elem> = Vec::new();
            // Later states tend to be the weaker ones.
            for n in self.at[l.index()].iter().rev() {
                let state = &self.node(*n).state;
                if !kept.iter().any(|k| self.domain.leq(state, k)) {
                    kept.push(state);
                }
            }
            let formula = Term::any(kept.iter().rev().map(|e| self.formula(e)));
            invariants.insert(Point { stack: Vec::new(), func: self.model.program.entry, loc: *l }, formula);
        }
        Proof { method: Method::Inductive, invariants }
    }

    /// The formula of an element.
    pub(super) fn formula(&self, e: &D::Elem) -> Term {
        Term::all(self.domain.constraints(e).iter().map(|c| self.model.space.term(c)))
    }
}
