//! `decide(Formula)`: whether trace formulae have a model, and if not, which of them suffice for the contradiction.

use super::encode::Formula;
use plumb_cfa::{DataModel, Integers, Program};
use plumb_smt::{CheckResult, Encoding, Limits, Model, Reason, Solver, Z3Solver};
use plumb_term::{Budget, IBig, Term};
use plumb_verdict::ReasonKind;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The answer.
pub enum Decision {
    /// The trace is one of the program.
    Sat(Box<Model>),
    /// It is not; the numbers of formulae that contradict each other, ascending.
    Unsat(Vec<usize>),
    /// Not decided.
    Unknown(ReasonKind),
}

/// How long one question of the search for a small core may take.
const PATIENCE: Duration = Duration::from_millis(500);
/// How many formulae are tried to be left out one by one.
const MAX_TRIES: usize = 400;

/// Decides formulae over one program.
pub struct Decider<'p> {
    program: &'p Program,
    budget: &'p Budget,
}

impl<'p> Decider<'p> {
    /// Within a budget.
    pub fn new(program: &'p Program, budget: &'p Budget) -> Decider<'p> {
        Decider { program, budget }
    }

    /// Whether the formulae have a model. Of a contradiction, formulae with a larger `cost` are left out first.
    pub fn decide(&self, formulae: &[Formula], cost: &dyn Fn(&Formula) -> u64) -> Decision {
        let terms: Vec<Term> = formulae.iter().map(|f| f.term).collect();
        // Equal formulae at several places: the first stands for all.
        let mut index: BTreeMap<Term, usize> = BTreeMap::new();
        terms.iter().enumerate().for_each(|(i, t)| _ = index.entry(*t).or_insert(i));
        if let Some(i) = terms.iter().position(|t| t.is_false()) {
            return Decision::Unsat(vec![i]);
        }
        let mut slice = Duration::from_millis(500);
        let mut why = ReasonKind::Time;
        let mut open = self.encodings();
        while !open.is_empty() && !self.budget.is_over() {
            let mut timed_out = Vec::new();
            for encoding in open {
                let mut solver = match self.solver(encoding, slice) {
                    Ok(s) => s,
                    Err(e) => return Decision::Unknown(ReasonKind::Internal(e)),
                };
                match solver.check_assuming(&terms) {
                    CheckResult::Sat => match solver.model() {
                        Some(m) => return Decision::Sat(Box::new(m)),
                        None => why = ReasonKind::Solver("no model".into()),
                    },
                    CheckResult::Unsat => {
                        let core: Vec<usize> = solver.unsat_core().iter().filter_map(|t| index.get(t).copied()).collect();
                        return Decision::Unsat(self.smaller(&mut solver, formulae, core, cost));
                    }
                    CheckResult::Unknown(Reason::Time) => timed_out.push(encoding),
                    CheckResult::Unknown(r) => why = ReasonKind::Solver(r.to_string()),
                }
            }
            open = timed_out;
            slice = slice.saturating_mul(4);
        }
        Decision::Unknown(if self.budget.is_over() { ReasonKind::Time } else { why })
    }

    /// The core without what is not needed.
    fn smaller(&self, solver: &mut Z3Solver, formulae: &[Formula], core: Vec<usize>, cost: &dyn Fn(&Formula) -> u64) -> Vec<usize> {
        solver.set_query_time(PATIENCE);
        let number: BTreeMap<Term, usize> = core.iter().map(|i| (formulae[*i].term, *i)).collect();
        let mut order = core.clone();
        order.sort_by_key(|i| (std::cmp::Reverse(cost(&formulae[*i])), *i));
        let mut kept: BTreeSet<usize> = core.into_iter().collect();
        for i in order.into_iter().take(MAX_TRIES) {
            if self.budget.is_over() {
                break;
            }
            if !kept.remove(&i) {
                continue;
            }
            let terms: Vec<Term> = kept.iter().map(|k| formulae[*k].term).collect();
            if solver.check_assuming(&terms).is_unsat() {
                kept = solver.unsat_core().iter().filter_map(|t| number.get(t).copied()).collect();
            } else {
                kept.insert(i);
            }
        }
        kept.into_iter().collect()
    }

    /// The values that a term takes in models of the formulae; nothing if there are more than `limit`, or that is not decided.
    pub fn values(&self, formulae: &[Formula], t: Term, limit: usize) -> Option<BTreeSet<IBig>> {
        for encoding in self.encodings() {
            let mut solver = self.solver(encoding, Duration::from_secs(2)).ok()?;
            formulae.iter().for_each(|f| solver.assert(f.term));
            let mut found = BTreeSet::new();
            while found.len() <= limit {
                match solver.check() {
                    CheckResult::Unsat => return Some(found),
                    CheckResult::Sat => {
                        let Some(v) = solver.model().and_then(|m| m.int(t)) else { break };
                        solver.assert(t.differs(Term::int(v.clone())));
                        found.insert(v);
                    }
                    CheckResult::Unknown(_) => break,
                }
            }
            if found.len() > limit {
                return None;
            }
        }
        None
    }

    fn encodings(&self) -> Vec<Encoding> {
        let bits = match self.program.semantics.model {
            DataModel::Ilp32 => Encoding::BITS32,
            DataModel::Lp64 => Encoding::BITS64,
        };
        match self.program.semantics.integers {
            Integers::Machine => vec![Encoding::Int, bits],
            Integers::Ideal => vec![Encoding::Int],
        }
    }

    fn solver(&self, encoding: Encoding, slice: Duration) -> Result<Z3Solver, String> {
        let limits = Limits { query_time: Some(slice), ..Limits::default() };
        let mut solver = Z3Solver::without_tactics(encoding, &limits).map_err(|e| e.to_string())?;
        solver.set_budget(self.budget);
        Ok(solver)
    }
}
