//! The solver's word on images that the domain approximates.
//!
//! An action that is not exact stands for a way with operators that are not linear, or with a case that has rational states only. Whether such a way can be taken at
//! all from a node's states is a question to the solver: the way is one formula, and the answer is as exact as the proof checker will be. A search
//! asks as long as that takes a fair part of its time.

use super::search::Search;
use plumb_num::NumDomain;
use plumb_smt::Entailment;
use plumb_term::{Budget, Term};
use std::time::{Duration, Instant};

/// Asks, within limits.
pub struct Oracle {
    solver: Option<Entailment>,
    spent: Duration,
    limit: Duration,
}

impl Oracle {
    /// Within a part of the budget.
    pub fn new(budget: &Budget) -> Oracle {
        let limit = budget.left().map_or(Duration::from_secs(60), |t| t / 3);
        Oracle { solver: Entailment::new(budget).ok(), spent: Duration::ZERO, limit }
    }

    /// Whether a formula is known to have no model.
    pub fn refutes(&mut self, t: Term) -> bool {
        let Some(solver) = self.solver.as_mut().filter(|_| self.spent < self.limit) else { return false };
        let start = Instant::now();
        let answer = solver.entails(t, Term::ff());
        self.spent += start.elapsed();
        answer
    }

    /// How many questions were asked.
    pub fn questions(&self) -> u64 {
        self.solver.as_ref().map_or(0, |s| s.questions)
    }
}

impl<D: NumDomain> Search<'_, D> {
    /// Whether an edge may be taken from a state whose image is not empty in the domain.
    pub(super) fn is_possible(&mut self, edge: usize, state: &D::Elem) -> bool {
        let e = &self.model.edges[edge];
        if e.action.exact {
            return true;
        }
        let way = self.model.control.ways[e.way].guard;
        let question = self.formula(state).and(way);
        !self.oracle.refutes(question)
    }
}
