//! Small questions, many of them again and again: a solver that remembers its answers.

use crate::{CheckResult, Encoding, Limits, SetupError, Solver, Z3Solver};
use plumb_term::{Budget, Term};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A question: facts, and assumptions or what is asked about.
type Asked = (Vec<Term>, Vec<Term>);

/// A solver, over integers, and its answers.
pub struct Answers {
    solver: Z3Solver,
    cores: FxHashMap<Asked, Option<Vec<Term>>>,
    models: FxHashMap<Asked, Option<Vec<bool>>>,
}

impl Answers {
    /// Within a budget; a question that takes longer than `patience` has no answer.
    pub fn new(budget: &Budget, patience: Duration) -> Result<Answers, SetupError> {
        let limits = Limits { query_time: Some(patience), ..Limits::default() };
        let mut solver = Z3Solver::without_tactics(Encoding::Int, &limits)?;
        solver.set_budget(budget);
        Ok(Answers { solver, cores: FxHashMap::default(), models: FxHashMap::default() })
    }

    fn under<T>(&mut self, facts: &[Term], question: impl FnOnce(&mut Z3Solver) -> T) -> T {
        self.solver.push();
        facts.iter().for_each(|f| self.solver.assert(*f));
        let out = question(&mut self.solver);
        self.solver.pop();
        out
    }

    /// Some of the assumptions that contradict the facts, none of them idle; nothing if they are not known to do so.
    pub fn core(&mut self, facts: &[Term], assumptions: &[Term]) -> Option<Vec<Term>> {
        let key = (facts.to_vec(), assumptions.to_vec());
        if let Some(known) = self.cores.get(&key) {
            return known.clone();
        }
        let out = self.under(facts, |solver| match solver.check_assuming(assumptions) {
            CheckResult::Unsat => {
                let mut core = solver.unsat_core();
                let mut i = 0;
                while i < core.len() && core.len() > 1 {
                    let mut without = core.clone();
                    without.remove(i);
                    if solver.check_assuming(&without).is_unsat() {
                        core = without;
                    } else {
                        i += 1;
                    }
                }
                Some(core)
            }
            _ => None,
        });
        self.cores.insert(key, out.clone());
        out
    }

    /// The truth of some conditions in a model of the facts; nothing if none is known.
    pub fn model(&mut self, facts: &[Term], about: &[Term]) -> Option<Vec<bool>> {
        let key = (facts.to_vec(), about.to_vec());
        if let Some(known) = self.models.get(&key) {
            return known.clone();
        }
        let out = self.under(facts, |solver| match solver.check() {
            CheckResult::Sat => solver.model().and_then(|m| about.iter().map(|t| m.holds(*t)).collect()),
            _ => None,
        });
        self.models.insert(key, out.clone());
        out
    }
}
