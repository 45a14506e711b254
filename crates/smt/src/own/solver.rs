//! The own solver behind the common interface: for the many small linear questions where no foreign call is needed.
//!
//! Definitions are made once and stay; the facts of open scopes are assumptions of each check. Memories are cells ([`super::contents`]). A model is believed only after every fact has been
//! evaluated in it, so operators that are taken as uninterpreted can cost an answer but not make it wrong.

use super::contents::Contents;
use super::translate::Translator;
use crate::encode::Unencodable;
use crate::model::Model;
use crate::solver::{CheckResult, Limits, Reason, Solver, Statistics};
use plumb_itp::solver::{Answer, Budget as Effort, Config, Model as Found, Solver as Search, Why};
use plumb_itp::{Lit, Literal};
use plumb_term::eval::{Evaluator, Value};
use plumb_term::{Budget, Term};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// So often a model may violate what holds of cells, before the question counts as undecided.
const MAX_ROUNDS: usize = 60;

/// A fact and its literal; none if it cannot be translated.
type Fact = (Term, Result<Literal, Unencodable>);

/// plumb's own solver.
pub struct OwnSolver {
    translator: Translator,
    contents: Contents,
    limits: Limits,
    /// Conflicts and steps of the theory that one question may take.
    effort: Option<(u64, u64)>,
    budget: Budget,
    /// The facts of each scope; those of the first are asserted.
    scopes: Vec<Vec<Fact>>,
    found: Option<FxHashMap<plumb_term::Var, Value>>,
    core: Vec<Term>,
    statistics: Statistics,
}

impl OwnSolver {
    /// Without facts. Limits of memory are the process's.
    pub fn new(limits: &Limits) -> OwnSolver {
        OwnSolver {
            translator: Translator::new(Search::new(Config { proofs: false, ..Config::default() })),
            contents: Contents::default(),
            limits: limits.clone(),
            effort: None,
            budget: Budget::unlimited(),
            scopes: vec![Vec::new()],
            found: None,
            core: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// Lets each question take this many conflicts, and steps of the theory, at most.
    pub(crate) fn limit_effort(&mut self, effort: Option<(u64, u64)>) {
        self.effort = effort;
    }

    fn translate(&mut self, t: Term) -> Result<Literal, Unencodable> {
        let start = Instant::now();
        let literal = self.contents.scalar(t).and_then(|t| self.translator.literal(t));
        self.statistics.encoding += start.elapsed();
        literal
    }

    /// The values of the variables, if every fact holds under them; or what holds of cells, but not under them.
    fn believe(&self, model: &Found, facts: &[Term]) -> Result<Option<FxHashMap<plumb_term::Var, Value>>, Vec<Term>> {
        let mut values = FxHashMap::default();
        for (v, x) in &self.translator.numbers {
            let number = model.number(*x);
            if !number.is_integer() {
                return Ok(None);
            }
            values.insert(*v, Value::Int(super::back::big(number.num())));
        }
        for (v, l) in &self.translator.booleans {
            values.insert(*v, Value::Bool(model.lit(*l)));
        }
        let memories = self.contents.memories(&|v| values.get(&v).cloned().or_else(|| Some(Value::default_of(v.ty))))?;
        values.extend(memories.into_iter().map(|(v, m)| (v, Value::Mem(m))));
        let value = |v: plumb_term::Var| values.get(&v).cloned().or_else(|| Some(Value::default_of(v.ty)));
        let mut evaluator = Evaluator::new(&value);
        let holds = facts.iter().all(|t| evaluator.eval(*t) == Some(Value::Bool(true)));
        Ok(holds.then_some(values))
    }

    fn ask(&mut self, assumptions: &[Term]) -> CheckResult {
        let mut asked: Vec<Fact> = Vec::new();
        for t in assumptions {
            let literal = self.translate(*t);
            asked.push((*t, literal));
        }
        let mut literals: Vec<Lit> = Vec::new();
        let mut left_out = None;
        for (t, literal) in self.scopes[1..].iter().flatten().chain(&asked) {
            match literal {
                Ok(Literal::Constant(true)) => {}
                Ok(Literal::Constant(false)) => {
                    self.core = assumptions.iter().copied().filter(|a| a == t).take(1).collect();
                    return CheckResult::Unsat;
                }
                Ok(Literal::Lit(l)) => literals.push(*l),
                Err(why) => left_out = Some(why.clone()),
            }
        }
        left_out = left_out.or_else(|| self.scopes[0].iter().find_map(|f| f.1.clone().err()));
        let time = match self.limits.query_time {
            Some(t) => self.budget.at_most(t),
            None => self.budget.clone(),
        };
        let effort = Effort { conflicts: self.effort.map(|e| e.0), work: self.effort.map(|e| e.1), ..Effort::within(time) };
        let facts: Vec<Term> = self.scopes.iter().flatten().chain(&asked).map(|f| f.0).collect();
        for _ in 0..MAX_ROUNDS {
            match self.translator.solver.check(&literals, &effort) {
                Answer::Unsat => {
                    let core = self.translator.solver.core().unwrap_or_default();
                    self.core = asked.iter().filter(|f| matches!(&f.1, Ok(Literal::Lit(l)) if core.contains(l))).map(|f| f.0).collect();
                    return CheckResult::Unsat;
                }
                Answer::Sat => {
                    if let Some(why) = left_out {
                        return CheckResult::Unknown(Reason::Unencodable(why));
                    }
                    if let Some(answer) = self.settle(&facts) {
                        return answer;
                    }
                }
                Answer::Unknown(Why::Time) => return CheckResult::Unknown(Reason::Time),
                Answer::Unknown(Why::Memory) => return CheckResult::Unknown(Reason::Memory),
                Answer::Unknown(why) => return CheckResult::Unknown(Reason::Incomplete(format!("{why:?}"))),
            }
        }
        CheckResult::Unknown(Reason::Incomplete("cells at equal addresses differed in every model".into()))
    }

    /// The answer that a model gives; none if it violates what holds of cells, which is stated then.
    fn settle(&mut self, facts: &[Term]) -> Option<CheckResult> {
        match self.translator.solver.model().map(|m| self.believe(&m, facts)) {
            Some(Ok(Some(values))) => {
                self.found = Some(values);
                Some(CheckResult::Sat)
            }
            Some(Err(violated)) => violated.into_iter().find_map(|t| match self.translator.literal(t) {
                Ok(l) => {
                    self.translator.solver.assert(l);
                    None
                }
                Err(why) => Some(CheckResult::Unknown(Reason::Unencodable(why))),
            }),
            _ => Some(CheckResult::Unknown(Reason::Incomplete("an operator is taken as an unknown function".into()))),
        }
    }
}

impl Solver for OwnSolver {
    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
        }
    }

    fn assert(&mut self, fact: Term) {
        for c in fact.conjuncts() {
            let literal = self.translate(c);
            if let (1, Ok(l)) = (self.scopes.len(), &literal) {
                self.translator.solver.assert(*l);
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.push((c, literal));
            }
        }
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> CheckResult {
        self.found = None;
        self.core.clear();
        let start = Instant::now();
        let result = self.ask(assumptions);
        self.statistics.solving += start.elapsed();
        match &result {
            CheckResult::Sat => self.statistics.sat += 1,
            CheckResult::Unsat => self.statistics.unsat += 1,
            CheckResult::Unknown(_) => self.statistics.unknown += 1,
        }
        result
    }

    fn model(&mut self) -> Option<Model> {
        self.found.clone().map(Model::of_values)
    }

    fn unsat_core(&mut self) -> Vec<Term> {
        self.core.clone()
    }

    fn encodable(&mut self, t: Term) -> Result<(), Unencodable> {
        self.translate(t).map(|_| ())
    }

    fn set_budget(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
