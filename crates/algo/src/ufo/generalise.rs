//! Labels made general: each keeps the conjuncts that its successors need.
//!
//! Going backwards from the error, a node's label may lose every conjunct without which its steps still lead into the labels of their ends only: what enters the
//! node stays implied, since labels only become weaker. Generality is what makes the labels of later copies of a loop head imply those of earlier ones.

use super::arg::NodeId;
use super::{before, effect, Ufo};
use plumb_smt::{CheckResult, Limits, OwnSolver, Solver};
use plumb_term::Term;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A label that is harder to weaken stays as it is.
const PATIENCE: Duration = Duration::from_millis(100);

impl Ufo<'_> {
    /// Weakens the labels of `nodes`, which are in topological order.
    pub(super) fn generalise(&mut self, nodes: &[NodeId], labels: &mut FxHashMap<NodeId, Term>) {
        for n in nodes.iter().rev() {
            if self.budget.is_over() {
                return;
            }
            let Some(label) = labels.get(n).copied().filter(|t| !t.is_true() && !t.is_false()) else { continue };
            if let Some(weaker) = self.needed(*n, label, labels) {
                labels.insert(*n, weaker);
            }
        }
    }

    /// The conjuncts of a node's label that its steps need; nothing if that is not found out.
    fn needed(&self, n: NodeId, label: Term, labels: &FxHashMap<NodeId, Term>) -> Option<Term> {
        let conjuncts = label.conjuncts();
        if conjuncts.len() < 2 {
            return None;
        }
        let leaving = self.arg.node(n).children.iter().flatten().filter_map(|(step, w)| {
            let after = *labels.get(w)?;
            let (condition, _) = effect(&self.system, *step);
            Some(condition.and(before(&self.system, *step, after).not()))
        });
        let mut solver = OwnSolver::new(&Limits { query_time: Some(PATIENCE), ..Limits::default() });
        solver.set_budget(self.budget);
        solver.assert(Term::any(leaving));
        let mut kept = core(&mut solver, &conjuncts)?;
        // A core need not be minimal: try without each of its members.
        let mut i = 0;
        while i < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(i);
            match core(&mut solver, &fewer) {
                Some(smaller) => kept = smaller,
                None => i += 1,
            }
        }
        Some(Term::all(kept))
    }
}

/// Assumptions, in their order, that suffice for a refutation.
fn core(solver: &mut OwnSolver, assumptions: &[Term]) -> Option<Vec<Term>> {
    match solver.check_assuming(assumptions) {
        CheckResult::Unsat => {
            let core = solver.unsat_core();
            Some(assumptions.iter().copied().filter(|t| core.contains(t)).collect())
        }
        _ => None,
    }
}
