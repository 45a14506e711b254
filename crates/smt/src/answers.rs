//! Small questions, many of them again and again: a solver that remembers its answers.

use crate::own::reads_memory;
use crate::trial::Trial;
use crate::{CheckResult, Encoding, Limits, OwnSolver, SetupError, Solver, Z3Solver};
use plumb_term::{Budget, Term};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A question: facts, and assumptions or what is asked about.
type Asked = (Vec<Term>, Vec<Term>);

/// A solver, over integers, and its answers.
pub struct Answers {
    solver: Z3Solver,
    limits: Limits,
    budget: Budget,
    /// The own solver for questions about memory with a fact in common, where Z3's theory of arrays is slow.
    cells: Option<(Term, OwnSolver)>,
    trial: Trial,
    cores: FxHashMap<Asked, Option<Vec<Term>>>,
    models: FxHashMap<Asked, Option<Vec<bool>>>,
}

impl Answers {
    /// Within a budget; a question that takes longer than `patience` has no answer.
    pub fn new(budget: &Budget, patience: Duration) -> Result<Answers, SetupError> {
        let limits = Limits { query_time: Some(patience), ..Limits::default() };
        let mut solver = Z3Solver::without_tactics(Encoding::Int, &limits)?;
        solver.set_budget(budget);
        Ok(Answers {
            solver,
            limits,
            budget: budget.clone(),
            cells: None,
            trial: Trial::default(),
            cores: FxHashMap::default(),
            models: FxHashMap::default(),
        })
    }

    /// The answer of the own solver, if the facts are about memory and it has one, or Z3's.
    fn answer<T>(&mut self, facts: &[Term], question: impl Fn(&mut dyn Solver) -> Option<T>) -> Option<T> {
        if let Some(common) = facts.iter().copied().filter(|_| self.trial.is_worth()).find(|f| reads_memory(*f)) {
            if self.cells.as_ref().is_none_or(|c| c.0 != common) {
                let mut solver = OwnSolver::new(&self.limits);
                solver.set_budget(&self.budget);
                self.cells = Some((common, solver));
            }
            let own = self.cells.as_mut().and_then(|(_, solver)| under(solver, facts, &question));
            self.trial.note(own.is_some());
            if own.is_some() {
                return own;
            }
        }
        under(&mut self.solver, facts, &question)
    }

    /// Some of the assumptions that contradict the facts, none of them idle; nothing if they are not known to do so.
    pub fn core(&mut self, facts: &[Term], assumptions: &[Term]) -> Option<Vec<Term>> {
        let key = (facts.to_vec(), assumptions.to_vec());
        if let Some(known) = self.cores.get(&key) {
            return known.clone();
        }
        let out = self.answer(facts, |solver| match solver.check_assuming(assumptions) {
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
                Some(Some(core))
            }
            CheckResult::Sat => Some(None),
            CheckResult::Unknown(_) => None,
        });
        let out = out.flatten();
        self.cores.insert(key, out.clone());
        out
    }

    /// The truth of some conditions in a model of the facts; nothing if none is known.
    pub fn model(&mut self, facts: &[Term], about: &[Term]) -> Option<Vec<bool>> {
        let key = (facts.to_vec(), about.to_vec());
        if let Some(known) = self.models.get(&key) {
            return known.clone();
        }
        let out = self.answer(facts, |solver| match solver.check() {
            CheckResult::Sat => Some(solver.model().and_then(|m| about.iter().map(|t| m.holds(*t)).collect())),
            CheckResult::Unsat => Some(None),
            CheckResult::Unknown(_) => None,
        });
        let out = out.flatten();
        self.models.insert(key, out.clone());
        out
    }
}

/// A question under facts.
fn under<T>(solver: &mut dyn Solver, facts: &[Term], question: &dyn Fn(&mut dyn Solver) -> Option<T>) -> Option<T> {
    solver.push();
    facts.iter().for_each(|f| solver.assert(*f));
    let out = question(solver);
    solver.pop();
    out
}
