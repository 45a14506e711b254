//! The solver as the oracle of predicate updates; answers are remembered from one precision to the next.

use plumb_numpred::program::Oracle;
use plumb_smt::Answers;
use plumb_term::{Budget, Term};
use std::time::Duration;

/// For one question; what is not answered is not known, which only weakens an abstraction.
const PATIENCE: Duration = Duration::from_millis(500);

/// The solver and its answers.
pub(crate) struct Prover(Answers);

impl Prover {
    /// A solver; an error is its own.
    pub(crate) fn new(budget: &Budget) -> Result<Prover, String> {
        Answers::new(budget, PATIENCE).map(Prover).map_err(|e| e.to_string())
    }
}

impl Oracle for Prover {
    fn core(&mut self, facts: &[Term], assumptions: &[Term]) -> Option<Vec<Term>> {
        self.0.core(facts, assumptions)
    }

    fn model(&mut self, facts: &[Term], about: &[Term]) -> Option<Vec<bool>> {
        self.0.model(facts, about)
    }
}
