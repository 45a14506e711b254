//! The solver as the oracle of predicate updates; answers are remembered from one precision to the next.

use plumb_numpred::program::Oracle;
use plumb_smt::{CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::{Budget, Term};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// For one question; what is not answered is not known, which only weakens an abstraction.
const PATIENCE: Duration = Duration::from_millis(500);

/// A question: facts and assumptions.
type Asked = (Vec<Term>, Vec<Term>);

/// The solver and its answers.
pub(crate) struct Prover {
    solver: Z3Solver,
    cores: FxHashMap<Asked, Option<Vec<Term>>>,
    models: FxHashMap<Asked, Option<Vec<bool>>>,
}

impl Prover {
    /// A solver; an error is its own.
    pub(crate) fn new(budget: &Budget) -> Result<Prover, String> {
        let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
        let mut solver = Z3Solver::without_tactics(Encoding::Int, &limits).map_err(|e| e.to_string())?;
        solver.set_budget(budget);
        Ok(Prover { solver, cores: FxHashMap::default(), models: FxHashMap::default() })
    }

    fn under<T>(&mut self, facts: &[Term], question: impl FnOnce(&mut Z3Solver) -> T) -> T {
        self.solver.push();
        facts.iter().for_each(|f| self.solver.assert(*f));
        let out = question(&mut self.solver);
        self.solver.pop();
        out
    }
}

impl Oracle for Prover {
    fn core(&mut self, facts: &[Term], assumptions: &[Term]) -> Option<Vec<Term>> {
        let key = (facts.to_vec(), assumptions.to_vec());
        if let Some(known) = self.cores.get(&key) {
            return known.clone();
        }
        let out = self.under(facts, |solver| match solver.check_assuming(assumptions) {
            CheckResult::Unsat => {
                // One literal after the other: cubes should be short.
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

    fn model(&mut self, facts: &[Term], about: &[Term]) -> Option<Vec<bool>> {
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
