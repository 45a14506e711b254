//! Many small questions, one after the other.
//!
//! What is left of a case of an obligation is often decided in a tenth of the time that a new solver takes to begin. So solvers are kept from question to question; a question is a
//! scope of its own, and nothing asserted in it outlives it.

use plumb_smt::{without_bits, without_remainders, CheckResult, Encoding, Limits, Reason, Solver, Z3Solver};
use plumb_term::{Budget, Term};
use std::time::Duration;

/// The time for one question and encoding.
const TIME: Duration = Duration::from_millis(500);
/// How many questions a solver is asked: what it keeps of each makes it slower.
const QUESTIONS: usize = 200;

/// Solvers for small questions.
pub struct Small<'p> {
    budget: &'p Budget,
    kept: Vec<Kept>,
}

struct Kept {
    encoding: Encoding,
    solver: Option<Z3Solver>,
    questions: usize,
}

impl<'p> Small<'p> {
    /// With one solver for each encoding; the last is asked first.
    pub fn new(encodings: &[Encoding], budget: &'p Budget) -> Small<'p> {
        let kept = encodings.iter().rev().map(|e| Kept { encoding: *e, solver: None, questions: 0 }).collect();
        Small { budget, kept }
    }

    /// What a short look at a formula says.
    pub fn ask(&mut self, formula: Term) -> CheckResult {
        if let Some(kept) = self.kept.iter_mut().find(|k| k.encoding == Encoding::Int) {
            for weaker in [without_remainders(formula), without_bits(formula)].into_iter().flatten() {
                if kept.ask(weaker, self.budget) == CheckResult::Unsat {
                    return CheckResult::Unsat;
                }
            }
        }
        let mut last = CheckResult::Unknown(Reason::Time);
        for kept in &mut self.kept {
            match kept.ask(formula, self.budget) {
                known @ (CheckResult::Sat | CheckResult::Unsat) => return known,
                unknown => last = unknown,
            }
        }
        last
    }
}

impl Kept {
    fn ask(&mut self, formula: Term, budget: &Budget) -> CheckResult {
        self.questions += 1;
        if self.questions > QUESTIONS {
            (self.solver, self.questions) = (None, 1);
        }
        let limits = Limits { query_time: Some(TIME), ..Limits::default() };
        let made = self.solver.take().map_or_else(|| Z3Solver::without_tactics(self.encoding, &limits), Ok);
        let Ok(mut solver) = made else { return CheckResult::Unknown(Reason::Incomplete("no solver".into())) };
        solver.set_budget(budget);
        solver.push();
        formula.conjuncts().into_iter().for_each(|c| solver.assert(c));
        let answer = solver.check();
        solver.pop();
        // One that did not end may have learnt too much, or nothing that helps.
        let decided = matches!(answer, CheckResult::Sat | CheckResult::Unsat);
        self.solver = Some(solver).filter(|s| decided && !s.is_broken());
        answer
    }
}
