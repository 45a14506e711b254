//! Refuting the negation of an obligation.

use plumb_cfa::{DataModel, Integers, Program};
use plumb_smt::{CheckResult, Encoding, Limits, Reason, Solver, Z3Solver};
use plumb_term::visit::postorder;
use plumb_term::{Budget, Kind, Term};
use std::time::Duration;

/// Whether a formula has no model.
pub enum Refuted {
    /// It has none.
    Yes,
    /// It has one.
    No,
    /// Not decided.
    Unknown(String),
}

/// Asks the solver, in both encodings by turns, with growing time slices.
pub struct Prover<'p> {
    encodings: Vec<Encoding>,
    budget: &'p Budget,
}

impl<'p> Prover<'p> {
    /// For obligations about one program.
    pub fn new(program: &Program, budget: &'p Budget) -> Prover<'p> {
        let bits = match program.semantics.model {
            DataModel::Ilp32 => Encoding::BITS32,
            DataModel::Lp64 => Encoding::BITS64,
        };
        let encodings = match program.semantics.integers {
            Integers::Machine => vec![bits, Encoding::Int],
            Integers::Ideal => vec![Encoding::Int],
        };
        Prover { encodings, budget }
    }

    /// Whether `formula` has no model.
    pub fn refute(&self, formula: Term) -> Refuted {
        if formula.is_false() {
            return Refuted::Yes;
        }
        let mut slice = Duration::from_millis(500);
        loop {
            let mut timed_out = false;
            let mut why = String::new();
            for encoding in &self.encodings {
                match self.ask(formula, *encoding, slice) {
                    Ok(CheckResult::Unsat) => return Refuted::Yes,
                    Ok(CheckResult::Sat) => return Refuted::No,
                    Ok(CheckResult::Unknown(Reason::Time)) => timed_out = true,
                    Ok(CheckResult::Unknown(r)) => why = r.to_string(),
                    Err(e) => return Refuted::Unknown(e),
                }
            }
            if !timed_out {
                return Refuted::Unknown(why);
            }
            if self.budget.is_over() {
                return Refuted::Unknown("time".into());
            }
            slice *= 4;
        }
    }

    fn ask(&self, formula: Term, encoding: Encoding, slice: Duration) -> Result<CheckResult, String> {
        let limits = Limits { query_time: Some(slice), ..Limits::default() };
        let splices = postorder([formula]).iter().any(|t| matches!(t.kind(), Kind::Splice { .. }));
        let made = match encoding {
            Encoding::Int if !splices => Z3Solver::without_tactics(encoding, &limits),
            _ => Z3Solver::new(encoding, &limits),
        };
        let mut solver = made.map_err(|e| e.to_string())?;
        solver.set_budget(self.budget);
        for c in formula.conjuncts() {
            solver.assert(c);
        }
        Ok(solver.check())
    }
}
