//! What a solver can be asked, whatever is behind it.

use crate::encode::Unencodable;
use crate::model::Model;
use plumb_term::{Budget, Term};
use std::fmt;
use std::time::Duration;

/// The answer to a satisfiability question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// There is a model; [`Solver::model`] has one.
    Sat,
    /// There is none; [`Solver::unsat_core`] says which assumptions do not go together.
    Unsat,
    /// Not decided.
    Unknown(Reason),
}

impl CheckResult {
    /// Whether a model was found.
    pub fn is_sat(&self) -> bool {
        *self == CheckResult::Sat
    }

    /// Whether it was shown that there is no model.
    pub fn is_unsat(&self) -> bool {
        *self == CheckResult::Unsat
    }
}

/// Why a question was not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time of the query or the budget is over, or somebody cancelled the budget.
    Time,
    /// The memory limit was reached.
    Memory,
    /// A fact that the encoding cannot express was left out, and the rest is satisfiable.
    Unencodable(Unencodable),
    /// The solver gave up, in its own words.
    Incomplete(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time => f.write_str("the solver ran out of time"),
            Reason::Memory => f.write_str("the solver ran out of memory"),
            Reason::Unencodable(why) => write!(f, "the encoding cannot express {why}"),
            Reason::Incomplete(why) => write!(f, "the solver gave up: {why}"),
        }
    }
}

/// Why there is no solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The linked library has another version than the one that plumb is tested with.
    Version {
        /// What was found.
        found: (u32, u32, u32),
    },
    /// The library could not make a context or a solver.
    Library,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Version { found: (a, b, c) } => {
                write!(f, "plumb needs Z3 5.4.x, but the linked library is Z3 {a}.{b}.{c}; see docs/dependencies.md")
            }
            SetupError::Library => f.write_str("Z3 could not create a solver (it may have run out of memory before)"),
        }
    }
}

impl std::error::Error for SetupError {}

/// Limits of a solver.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// For each check.
    pub query_time: Option<Duration>,
    /// In megabytes, for all solvers of the process together. Z3 does not recover: once it is reached, no solver of the process
    /// answers again and no other can be made.
    pub memory: Option<u32>,
    /// The seed of every random choice; the same seed gives the same run.
    pub seed: u32,
}

/// What a solver has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Checks answered with `Sat`.
    pub sat: u64,
    /// Checks answered with `Unsat`.
    pub unsat: u64,
    /// Checks not decided.
    pub unknown: u64,
    /// Time within checks.
    pub solving: Duration,
    /// Time within the translation of terms.
    pub encoding: Duration,
    /// Translated terms, in all the views that were needed.
    pub encoded: usize,
}

/// A stack of facts that can be asked for satisfiability.
///
/// **Obligations.** `Unsat` is answered only if the facts of all scopes together with the assumptions have no model in the sense of
/// [`plumb_term::eval`] (up to the freedom of NaN patterns and, for bits, of addresses modulo their width), `Sat` only if they have one. A term that
/// cannot be encoded is left out; while it is among the facts, `Sat` is answered as `Unknown`. The same sequence of calls
/// yields the same answers and models, unless a limit of time strikes.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope and forgets its facts; nothing happens if none is open.
    fn pop(&mut self);

    /// Adds a fact to the innermost scope.
    fn assert(&mut self, fact: Term);

    /// Whether the facts have a model.
    fn check(&mut self) -> CheckResult {
        self.check_assuming(&[])
    }

    /// Whether the facts have a model in which the assumptions hold.
    fn check_assuming(&mut self, assumptions: &[Term]) -> CheckResult;

    /// A model of the last check, if it answered `Sat`. It outlives later changes of the solver.
    fn model(&mut self) -> Option<Model>;

    /// Some of the assumptions of the last check that do not go together with the facts, if it answered `Unsat`.
    fn unsat_core(&mut self) -> Vec<Term>;

    /// Why a term cannot be encoded, if it cannot.
    fn encodable(&mut self, t: Term) -> Result<(), Unencodable>;

    /// Ends every later check when the budget is over; cancelling the budget, from any thread, ends a running one.
    fn set_budget(&mut self, budget: &Budget);

    /// Counters.
    fn statistics(&self) -> Statistics;

    /// Whether `a` implies `b` under the facts; `None` if that is not decided.
    fn implies(&mut self, a: Term, b: Term) -> Option<bool> {
        match self.check_assuming(&[a, b.not()]) {
            CheckResult::Unsat => Some(true),
            CheckResult::Sat => Some(false),
            CheckResult::Unknown(_) => None,
        }
    }

    /// Whether `t` holds in every model of the facts; `None` if that is not decided.
    fn entails(&mut self, t: Term) -> Option<bool> {
        self.implies(Term::tt(), t)
    }
}
