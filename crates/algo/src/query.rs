//! Satisfiability of path conditions: a fresh solver for each hard question, in the encodings that fit, in growing time slices.

use plumb_cfa::{DataModel, Integers, Program};
use plumb_smt::{CheckResult, Encoding, Limits, Model, Reason, Solver, Z3Solver};
use plumb_term::visit::postorder;
use plumb_term::{Budget, Kind, Term};
use plumb_verdict::ReasonKind;
use std::time::Duration;

/// The answer to a query.
pub enum Answer {
    /// With a model.
    Sat(Box<Model>),
    /// None.
    Unsat,
    /// Not decided.
    Unknown(ReasonKind),
}

/// Asks the solver.
pub struct Queries<'p> {
    program: &'p Program,
    budget: &'p Budget,
    /// The encoding that answered last: similar questions follow each other.
    preferred: Option<Encoding>,
}

impl<'p> Queries<'p> {
    /// Within a budget.
    pub fn new(program: &'p Program, budget: &'p Budget) -> Queries<'p> {
        Queries { program, budget, preferred: None }
    }

    /// The encodings to try, the most promising first.
    fn encodings(&self, formula: Term) -> Vec<Encoding> {
        let bits = match self.program.semantics.model {
            DataModel::Ilp32 => Encoding::BITS32,
            DataModel::Lp64 => Encoding::BITS64,
        };
        if self.program.semantics.integers == Integers::Ideal {
            return vec![Encoding::Int];
        }
        let bitwise = postorder([formula]).iter().any(|t| {
            matches!(
                t.kind(),
                Kind::BitAnd(..)
                    | Kind::BitOr(..)
                    | Kind::BitXor(..)
                    | Kind::Shl(..)
                    | Kind::Shr(..)
                    | Kind::FBin(..)
                    | Kind::FCmp(..)
                    | Kind::FToInt(..)
                    | Kind::FBits(_)
            )
        });
        if bitwise {
            vec![bits]
        } else {
            vec![bits, Encoding::Int]
        }
    }

    /// Whether one of the conditions can hold.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = Term>) -> Answer {
        let formula = Term::any(conditions);
        let mut slice = Duration::from_millis(300);
        loop {
            let answer = self.within(formula, slice);
            match answer {
                Answer::Unknown(ReasonKind::Time) if !self.budget.is_over() => slice *= 3,
                _ => return answer,
            }
        }
    }

    /// Whether a condition can hold, giving up after about `patience`.
    pub fn quick(&mut self, condition: Term, patience: Duration) -> Answer {
        self.within(condition, patience)
    }

    /// Each encoding for at most `slice`.
    fn within(&mut self, formula: Term, slice: Duration) -> Answer {
        if formula.is_false() {
            return Answer::Unsat;
        }
        let mut why = ReasonKind::Time;
        let mut timed_out = false;
        let splices = postorder([formula]).iter().any(|t| matches!(t.kind(), Kind::Splice { .. }));
        let mut encodings = self.encodings(formula);
        encodings.sort_by_key(|e| Some(*e) != self.preferred);
        for encoding in encodings {
            if self.budget.is_over() {
                return Answer::Unknown(ReasonKind::Time);
            }
            let limits = Limits { query_time: Some(slice), ..Limits::default() };
            let made = match encoding {
                Encoding::Int if !splices => Z3Solver::without_tactics(encoding, &limits),
                _ => Z3Solver::new(encoding, &limits),
            };
            let mut solver = match made {
                Ok(s) => s,
                Err(e) => return Answer::Unknown(ReasonKind::Internal(e.to_string())),
            };
            solver.set_budget(self.budget);
            for c in formula.conjuncts() {
                solver.assert(c);
            }
            match solver.check() {
                CheckResult::Unsat => {
                    self.preferred = Some(encoding);
                    return Answer::Unsat;
                }
                CheckResult::Sat => match solver.model() {
                    Some(m) => {
                        self.preferred = Some(encoding);
                        return Answer::Sat(Box::new(m));
                    }
                    None => why = ReasonKind::Solver("no model".into()),
                },
                CheckResult::Unknown(Reason::Time) => timed_out = true,
                CheckResult::Unknown(Reason::Memory) => why = ReasonKind::Memory,
                CheckResult::Unknown(r) => why = ReasonKind::Solver(r.to_string()),
            }
        }
        Answer::Unknown(if timed_out { ReasonKind::Time } else { why })
    }
}
