//! The solver by Z3.

use crate::encode::{Encoder, Encoding, Task, Unencodable};
use crate::ffi::{library_version, set_global, Ast, Context, RawSolver};
use crate::model::Model;
use crate::solver::{CheckResult, Limits, Reason, SetupError, Solver, Statistics};
use crate::watchdog::Watchdog;
use plumb_term::{Budget, Term};
use std::time::{Duration, Instant};

/// The version that the tests were run with: a patch release is the same.
const VERSION: (u32, u32) = (5, 4);

#[derive(Default)]
struct Scope {
    /// What the encoder must forget when the scope ends.
    trail: Vec<u32>,
    /// A fact of the scope that could not be encoded.
    omitted: Option<Unencodable>,
}

/// A solver with a Z3 context of its own.
pub struct Z3Solver {
    // Before the context: it ends first.
    watchdog: Option<Watchdog>,
    pub(crate) encoder: Encoder,
    raw: RawSolver,
    pub(crate) limits: Limits,
    pub(crate) budget: Option<Budget>,
    scopes: Vec<Scope>,
    assumed: Vec<(Ast, Term)>,
    last: CheckResult,
    statistics: Statistics,
}

impl Z3Solver {
    /// A solver without facts, which picks tactics for those it gets.
    pub fn new(encoding: Encoding, limits: &Limits) -> Result<Z3Solver, SetupError> {
        Z3Solver::with(encoding, limits, |context| RawSolver::new(context, None))
    }

    /// A solver without facts that uses the incremental core alone. Tactics for integers begin with contextual simplification,
    /// which takes longer than solving on unrolled programs; but the core may not end on splices of unknown length.
    pub fn without_tactics(encoding: Encoding, limits: &Limits) -> Result<Z3Solver, SetupError> {
        Z3Solver::with(encoding, limits, RawSolver::core_only)
    }

    fn with(encoding: Encoding, limits: &Limits, make: impl FnOnce(&Context) -> Option<RawSolver>) -> Result<Z3Solver, SetupError> {
        check_version()?;
        if let Some(megabytes) = limits.memory {
            set_global("memory_max_size", &megabytes.to_string());
        }
        let context = Context::new(&[]).ok_or(SetupError::Library)?;
        let raw = make(&context).ok_or(SetupError::Library)?;
        let mut params = context.params().ok_or(SetupError::Library)?.uint("random_seed", limits.seed);
        if let Some(time) = limits.query_time {
            params = params.uint("timeout", millis(time));
        }
        raw.set(&params);
        Ok(Z3Solver {
            watchdog: None,
            encoder: Encoder::new(context, encoding),
            raw,
            limits: limits.clone(),
            budget: None,
            scopes: vec![Scope::default()],
            assumed: Vec::new(),
            last: CheckResult::Unknown(Reason::Incomplete("nothing was asked".into())),
            statistics: Statistics::default(),
        })
    }

    /// Changes the time of later checks; what was learnt in earlier ones stays.
    pub fn set_query_time(&mut self, time: Duration) {
        self.limits.query_time = Some(time);
        if let Some(params) = self.encoder.context.params() {
            self.raw.set(&params.uint("timeout", millis(time)));
        }
    }

    /// Whether an interruption while terms were built has left it without an answer to anything: only a new one helps.
    pub fn is_broken(&self) -> bool {
        self.encoder.context.failure().is_some()
    }

    /// The encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoder.encoding
    }

    /// The asserted facts as SMT-LIB text, for people.
    pub fn text(&self) -> String {
        self.raw.text()
    }

    /// The expression of a formula, whose axioms are then known in the innermost scope.
    fn introduce(&mut self, task: Task) -> Result<Ast, Unencodable> {
        let start = Instant::now();
        let encoded = self.encoder.encode(task);
        if encoded.is_ok() {
            if let Some(scope) = self.scopes.last_mut() {
                self.encoder.activate(task, &mut scope.trail, &mut |axiom| self.raw.assert(axiom));
            }
        }
        self.statistics.encoding += start.elapsed();
        self.statistics.encoded = self.encoder.size();
        encoded
    }

    /// The budget of one check.
    pub(crate) fn query_budget(&self) -> Option<Budget> {
        match (&self.budget, self.limits.query_time) {
            (Some(budget), Some(time)) => Some(budget.at_most(time)),
            (Some(budget), None) => Some(budget.clone()),
            (None, Some(time)) => Some(Budget::within(time)),
            (None, None) => None,
        }
    }

    /// Runs something that Z3 can be interrupted in.
    pub(crate) fn guarded<T>(&mut self, budget: Option<&Budget>, work: impl FnOnce(&Z3Solver) -> T) -> T {
        if let Some(budget) = budget {
            if self.watchdog.is_none() {
                self.watchdog = Watchdog::new(self.encoder.context.interrupter());
            }
            if let Some(watchdog) = &self.watchdog {
                return watchdog.guard(budget, || work(self));
            }
        }
        work(self)
    }

    fn decide(&mut self, literals: &[Ast], omitted: Option<Unencodable>) -> CheckResult {
        let budget = self.query_budget();
        if budget.as_ref().is_some_and(Budget::is_over) {
            return CheckResult::Unknown(Reason::Time);
        }
        if let Some(failure) = self.encoder.context.failure() {
            return CheckResult::Unknown(reason(&failure, false));
        }
        let answer = self.guarded(budget.as_ref(), |s| s.raw.check(literals));
        if let Some(failure) = self.encoder.context.failure() {
            return CheckResult::Unknown(reason(&failure, false));
        }
        let late = budget.is_some_and(|b| b.is_over());
        match (answer, omitted) {
            (Some(false), _) => CheckResult::Unsat,
            // The watchdog may have interrupted what was just answered: Z3 then refuses to evaluate terms in the model.
            (Some(true), None) if late => CheckResult::Unknown(Reason::Time),
            (Some(true), None) => CheckResult::Sat,
            (Some(true), Some(why)) => CheckResult::Unknown(Reason::Unencodable(why)),
            (None, _) => CheckResult::Unknown(reason(&self.raw.reason_unknown(), late)),
        }
    }
}

fn millis(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1)
}

/// Refuses a library that the tests were not run with.
pub(crate) fn check_version() -> Result<(), SetupError> {
    let found = library_version();
    if (found.0, found.1) == VERSION {
        Ok(())
    } else {
        Err(SetupError::Version { found })
    }
}

/// Z3's words for why it gave up.
fn reason(words: &str, late: bool) -> Reason {
    if words.contains("memory") || words.contains("memout") {
        Reason::Memory
    } else if late || words.contains("timeout") || words.contains("canceled") || words.contains("interrupted") {
        Reason::Time
    } else {
        Reason::Incomplete(words.to_string())
    }
}

impl Solver for Z3Solver {
    fn push(&mut self) {
        self.raw.push();
        self.scopes.push(Scope::default());
    }

    fn pop(&mut self) {
        if self.scopes.len() < 2 {
            return;
        }
        if let Some(scope) = self.scopes.pop() {
            self.raw.pop(1);
            self.encoder.deactivate(&scope.trail);
        }
    }

    fn assert(&mut self, fact: Term) {
        match self.introduce(Task::Bool(fact)) {
            Ok(ast) => self.raw.assert(&ast),
            Err(why) => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.omitted.get_or_insert(why);
                }
            }
        }
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> CheckResult {
        let mut omitted = self.scopes.iter().find_map(|s| s.omitted.clone());
        self.assumed.clear();
        let mut literals = Vec::new();
        for t in assumptions {
            match self.introduce(Task::Proxy(*t)) {
                Ok(literal) => {
                    self.assumed.push((literal.clone(), *t));
                    literals.push(literal);
                }
                Err(why) => {
                    omitted.get_or_insert(why);
                }
            }
        }
        let start = Instant::now();
        self.last = self.decide(&literals, omitted);
        self.statistics.solving += start.elapsed();
        match self.last {
            CheckResult::Sat => self.statistics.sat += 1,
            CheckResult::Unsat => self.statistics.unsat += 1,
            CheckResult::Unknown(_) => self.statistics.unknown += 1,
        }
        self.last.clone()
    }

    fn model(&mut self) -> Option<Model> {
        match self.last {
            CheckResult::Sat => self.raw.model().map(|m| Model::new(m, self.encoder.symbols.clone(), self.encoder.encoding)),
            _ => None,
        }
    }

    fn unsat_core(&mut self) -> Vec<Term> {
        if self.last != CheckResult::Unsat {
            return Vec::new();
        }
        let core = self.raw.core();
        self.assumed.iter().filter(|(literal, _)| core.contains(literal)).map(|(_, t)| *t).collect()
    }

    fn encodable(&mut self, t: Term) -> Result<(), Unencodable> {
        let task = match t.sort() {
            plumb_term::Sort::Bool => Task::Bool(t),
            plumb_term::Sort::Float(_) => Task::Fp(t),
            plumb_term::Sort::Mem(_) => Task::Mem(t),
            plumb_term::Sort::Int => match self.encoder.encoding {
                Encoding::Int => Task::Int(t),
                Encoding::Bits { .. } => return self.encodable(t.equals(Term::int(0)).or(t.less_eq(Term::int(0)))),
            },
        };
        self.encoder.encode(task).map(|_| ())
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.budget = Some(budget.clone());
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
