//! The small questions: does one label imply another, which predicates hold after a block?

use crate::{CheckResult, Encoding, Limits, Model, OwnSolver, Solver, Z3Solver};
use plumb_term::{Budget, Term};
use std::time::Duration;

/// A question that takes longer counts as undecided.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the own solver gets before Z3 is asked.
const FIRST: Duration = Duration::from_millis(200);

/// Answers entailments.
pub struct Entailment {
    /// For implications of labels, most of which are linear.
    own: OwnSolver,
    solver: Z3Solver,
    /// How many questions were asked.
    pub questions: u64,
}

impl Entailment {
    /// A solver within a budget.
    pub fn new(budget: &Budget) -> Result<Entailment, String> {
        let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
        let mut solver = Z3Solver::without_tactics(Encoding::Int, &limits).map_err(|e| e.to_string())?;
        solver.set_budget(budget);
        let mut own = OwnSolver::new(&Limits { query_time: Some(FIRST), ..Limits::default() });
        own.set_budget(budget);
        Ok(Entailment { own, solver, questions: 0 })
    }

    /// Whether `a` implies `b`: what is not decided counts as not implied.
    pub fn entails(&mut self, a: Term, b: Term) -> bool {
        self.questions += 1;
        if a == b || a.is_false() || b.is_true() {
            return true;
        }
        self.own.implies(a, b).or_else(|| self.solver.implies(a, b)) == Some(true)
    }

    /// Asks questions under facts.
    pub fn with<T>(&mut self, facts: &[Term], ask: impl FnOnce(&mut Entailment) -> T) -> T {
        self.solver.push();
        facts.iter().for_each(|f| self.solver.assert(*f));
        let out = ask(self);
        self.solver.pop();
        out
    }

    /// States one more fact, up to the end of the innermost [`Entailment::with`].
    pub fn assert(&mut self, fact: Term) {
        self.solver.assert(fact);
    }

    /// A model of the facts in which `t` holds: `Some(None)` if there is none, `None` if that is not decided.
    pub fn model_of(&mut self, t: Term) -> Option<Option<Model>> {
        self.questions += 1;
        match self.solver.check_assuming(&[t]) {
            CheckResult::Unsat => Some(None),
            CheckResult::Sat => self.solver.model().map(Some),
            CheckResult::Unknown(_) => None,
        }
    }
}
