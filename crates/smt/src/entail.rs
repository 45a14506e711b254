//! The small questions: does one label imply another, which predicates hold after a block?

use crate::own::reads_memory;
use crate::trial::Trial;
use crate::{CheckResult, Encoding, Limits, Model, OwnSolver, Solver, Z3Solver};
use plumb_term::{Budget, Term};
use std::time::Duration;

/// A question that takes longer counts as undecided.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the own solver gets before Z3 is asked.
const FIRST: Duration = Duration::from_millis(200);

/// What it gets for a question under facts about memory.
const FOR_CELLS: Duration = Duration::from_secs(1);

/// Answers entailments.
pub struct Entailment {
    /// For implications of labels, most of which are linear.
    own: OwnSolver,
    solver: Z3Solver,
    /// The facts, with the numbers of them at the beginnings of scopes.
    facts: Vec<Term>,
    scopes: Vec<usize>,
    cells: Option<Cells>,
    trial: Trial,
    budget: Budget,
    /// How many questions were asked.
    pub questions: u64,
}

/// The own solver under facts about memory, where Z3's theory of arrays is slow.
struct Cells {
    solver: OwnSolver,
    /// The scopes that were open when it was made: it ends with the last of them.
    depth: usize,
}

impl Entailment {
    /// A solver within a budget.
    pub fn new(budget: &Budget) -> Result<Entailment, String> {
        let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
        let mut solver = Z3Solver::without_tactics(Encoding::Int, &limits).map_err(|e| e.to_string())?;
        solver.set_budget(budget);
        let mut own = OwnSolver::new(&Limits { query_time: Some(FIRST), ..Limits::default() });
        own.set_budget(budget);
        Ok(Entailment {
            own,
            solver,
            facts: Vec::new(),
            scopes: Vec::new(),
            cells: None,
            trial: Trial::default(),
            budget: budget.clone(),
            questions: 0,
        })
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
        self.scopes.push(self.facts.len());
        if let Some(cells) = &mut self.cells {
            cells.solver.push();
        }
        facts.iter().for_each(|f| self.assert(*f));
        let out = ask(self);
        self.solver.pop();
        self.facts.truncate(self.scopes.pop().unwrap_or(0));
        match &mut self.cells {
            Some(cells) if cells.depth > self.scopes.len() => self.cells = None,
            Some(cells) => cells.solver.pop(),
            None => {}
        }
        out
    }

    /// States one more fact, up to the end of the innermost [`Entailment::with`].
    pub fn assert(&mut self, fact: Term) {
        self.solver.assert(fact);
        self.facts.push(fact);
        match &mut self.cells {
            Some(cells) => cells.solver.assert(fact),
            None if !self.scopes.is_empty() && self.trial.is_worth() && reads_memory(fact) => {
                let mut solver = OwnSolver::new(&Limits { query_time: Some(FOR_CELLS), ..Limits::default() });
                solver.set_budget(&self.budget);
                self.facts.iter().for_each(|f| solver.assert(*f));
                self.cells = Some(Cells { solver, depth: self.scopes.len() });
            }
            None => {}
        }
    }

    /// A model of the facts in which `t` holds: `Some(None)` if there is none, `None` if that is not decided.
    pub fn model_of(&mut self, t: Term) -> Option<Option<Model>> {
        self.questions += 1;
        if let Some(cells) = self.cells.as_mut().filter(|_| self.trial.is_worth()) {
            let answer = cells.solver.check_assuming(&[t]);
            self.trial.note(!matches!(answer, CheckResult::Unknown(_)));
            match answer {
                CheckResult::Unsat => return Some(None),
                CheckResult::Sat => return cells.solver.model().map(Some),
                CheckResult::Unknown(_) => {}
            }
        }
        match self.solver.check_assuming(&[t]) {
            CheckResult::Unsat => Some(None),
            CheckResult::Sat => self.solver.model().map(Some),
            CheckResult::Unknown(_) => None,
        }
    }
}
