//! What to learn from the labels of a refinement.
//!
//! The labels of a loop's unrolling often follow it: `x <= 1`, `x <= 2`, `x <= 3`. A widening that stops at each of these unrolls the loop as far
//! again, and the next refinement has still more of them. What several nodes of a cut point say alike is what may hold in every iteration.

use crate::system::CutId;
use plumb_term::visit::atoms;
use plumb_term::Term;
use std::collections::BTreeMap;

/// A cut point with at most this many labels teaches all it says.
const FEW_LABELS: usize = 2;

/// The labels of one refinement.
#[derive(Clone, Debug, Default)]
pub struct Lessons {
    /// By cut point, how many labels there were, and in how many each atom is.
    heard: BTreeMap<CutId, (usize, BTreeMap<Term, usize>)>,
}

impl Lessons {
    /// A label.
    pub fn hear(&mut self, cut: CutId, label: Term) {
        if label.is_true() || label.is_false() {
            return;
        }
        let (labels, counts) = self.heard.entry(cut).or_default();
        *labels += 1;
        for a in atoms(label) {
            *counts.entry(a).or_insert(0) += 1;
        }
    }

    /// The atoms worth learning; the labels are forgotten.
    pub fn take(&mut self) -> Vec<(CutId, Term)> {
        let mut out = Vec::new();
        for (cut, (labels, counts)) in std::mem::take(&mut self.heard) {
            let worth = counts.into_iter().filter(|(_, n)| *n > 1 || labels <= FEW_LABELS);
            out.extend(worth.map(|(a, _)| (cut, a)));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{Var, VarId, VarTy};

    #[test]
    fn what_follows_the_unrolling_is_not_learnt() {
        let x = Term::var(Var::new(VarId(0), VarTy::Int));
        let stable = Term::int(0).less_eq(x);
        let mut lessons = Lessons::default();
        for k in 1..6 {
            lessons.hear(CutId(1), stable.and(x.less_eq(Term::int(k))));
        }
        lessons.hear(CutId(2), x.less_eq(Term::int(9)));
        lessons.hear(CutId(3), Term::tt());
        assert_eq!(lessons.take(), [(CutId(1), stable), (CutId(2), x.less_eq(Term::int(9)))]);
        assert!(lessons.take().is_empty());
    }
}
