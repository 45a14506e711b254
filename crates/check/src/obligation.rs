//! Refuting the negation of an obligation.

use crate::small::Small;
use plumb_cfa::{DataModel, Integers, Program};
use plumb_smt::{
    by_cases, has_cases, linearised, typed, without_bits, without_remainders, Boxes, CheckResult, Circuit, Encoding, Found, Limits, Reason,
    Solver, Split, Z3Solver,
};
use plumb_term::visit::postorder;
use plumb_term::{Budget, Kind, Term};
use std::cell::RefCell;
use std::time::Duration;

/// The first time slice of an encoding: often one decides at once what another takes long for.
const FIRST: Duration = Duration::from_millis(125);

/// From so many nodes on, an obligation that can be split is split before anything else: most cases are decided in less time than a solver needs to
/// read the whole.
const LARGE: usize = 2_000;
/// The time for that. Where it is not enough, the cases have another turn after the first time slices.
const EARLY: Duration = Duration::from_secs(1);

/// The time that gates have before cases are told apart.
const GATES: Duration = Duration::from_secs(2);

/// Whether a formula has no model.
pub enum Refuted {
    /// It has none.
    Yes,
    /// It has one.
    No,
    /// Not decided.
    Unknown(String),
}

/// Asks the solver, in both encodings and with products as unknowns by turns, with growing time slices; the search by boxes where floats are
/// compared; and case by case where that is possible and the whole takes long.
pub struct Prover<'p> {
    encodings: Vec<Encoding>,
    budget: &'p Budget,
    small: RefCell<Small<'p>>,
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
        let small = RefCell::new(Small::new(&encodings, budget));
        Prover { encodings, budget, small }
    }

    /// Whether `formula` has no model.
    pub fn refute(&self, formula: Term) -> Refuted {
        self.in_slices(formula, true)
    }

    /// What the first time slices say.
    pub fn at_first_sight(&self, formula: Term) -> Refuted {
        self.in_slices(formula, false)
    }

    /// Whether a short look shows that `formula` has no model.
    pub fn is_refuted_soon(&self, formula: Term) -> bool {
        matches!(self.small.borrow_mut().ask(typed(formula)), CheckResult::Unsat)
    }

    /// Whether an obligation has cases, so that it is better left whole than taken apart by its goals.
    pub fn may_split(&self, formula: Term) -> bool {
        has_cases(typed(formula))
    }

    fn by_cases(&self, formula: Term, budget: &Budget) -> Split {
        by_cases(formula, budget, &mut |case| self.small.borrow_mut().ask(case))
    }

    fn in_slices(&self, formula: Term, patient: bool) -> Refuted {
        let formula = typed(formula);
        if formula.is_false() {
            return Refuted::Yes;
        }
        let mut split = has_cases(formula);
        let terms = postorder([formula]);
        if split && terms.len() >= LARGE {
            match self.by_cases(formula, &self.budget.at_most(EARLY)) {
                Split::Unsat => return Refuted::Yes,
                Split::Sat => return Refuted::No,
                Split::Open => {}
            }
        }
        let splices = terms.iter().any(|t| matches!(t.kind(), Kind::Splice { .. }));
        let mut open = Vec::with_capacity(self.encodings.len() + 1);
        if let Some(weaker) = linearised(formula) {
            open.push(Attempt { tactics: splices, ..Attempt::weaker(weaker) });
        }
        for encoding in &self.encodings {
            let tactics = *encoding != Encoding::Int || splices;
            open.push(Attempt { formula, weaker: false, encoding: *encoding, tactics, solver: None });
        }
        let mut views: Vec<Attempt> =
            [without_remainders(formula), without_bits(formula)].into_iter().flatten().map(Attempt::weaker).collect();
        let mut boxes = Boxes::new(formula);
        let machine = self.encodings.len() > 1;
        let mut circuit = if machine { Circuit::new(formula) } else { None };
        let mut slice = FIRST;
        let mut why = "time".to_owned();
        loop {
            match boxes.as_mut().map(|b| b.run(&self.budget.at_most(slice / 2))) {
                Some(Found::Unsat) => return Refuted::Yes,
                Some(Found::Sat(_)) => return Refuted::No,
                Some(Found::Undecided) => boxes = None,
                Some(Found::Open) | None => {}
            }
            // A view that has a model, or gives up, says nothing.
            let mut left = Vec::with_capacity(views.len());
            for mut view in views {
                match view.ask(slice, self.budget) {
                    Ok(CheckResult::Unsat) => return Refuted::Yes,
                    Ok(CheckResult::Unknown(Reason::Time)) => left.push(view),
                    _ => {}
                }
            }
            views = left;
            if let Some(gates) = &mut circuit {
                match gates.run(slice, self.budget) {
                    Found::Unsat => return Refuted::Yes,
                    Found::Sat(_) => return Refuted::No,
                    Found::Undecided => circuit = None,
                    Found::Open => {}
                }
            }
            // An encoding that gives up for another reason than time would do so again.
            let mut timed_out = Vec::with_capacity(open.len());
            for mut attempt in open {
                // A circuit has the same bits and is faster, unless there is more to see in words.
                if attempt.encoding != Encoding::Int && circuit.as_ref().is_some_and(|c| !c.hides_words()) {
                    timed_out.push(attempt);
                    continue;
                }
                match attempt.ask(slice, self.budget) {
                    Ok(CheckResult::Unsat) => return Refuted::Yes,
                    Ok(CheckResult::Sat) if attempt.weaker => why = "products are beyond linear reasoning".into(),
                    Ok(CheckResult::Sat) => return Refuted::No,
                    Ok(CheckResult::Unknown(Reason::Time)) => timed_out.push(attempt),
                    Ok(CheckResult::Unknown(r)) => why = r.to_string(),
                    Err(e) => return Refuted::Unknown(e),
                }
            }
            if !patient {
                return Refuted::Unknown(why);
            }
            if std::mem::take(&mut split) {
                // What gates decide they mostly decide soon.
                if let Some(gates) = &mut circuit {
                    let most = self.budget.left().map_or(GATES, |left| (left / 4).min(GATES));
                    match gates.run(most, self.budget) {
                        Found::Unsat => return Refuted::Yes,
                        Found::Sat(_) => return Refuted::No,
                        Found::Undecided => circuit = None,
                        Found::Open => {}
                    }
                }
                // Each case is a step forward: where there are cases they deserve most of the time.
                let most = self.budget.left().map_or_else(|| self.budget.clone(), |left| self.budget.at_most(left.mul_f64(0.75)));
                match self.by_cases(formula, &most) {
                    Split::Unsat => return Refuted::Yes,
                    Split::Sat => return Refuted::No,
                    Split::Open => {}
                }
            }
            if timed_out.is_empty() && boxes.is_none() && circuit.is_none() && views.is_empty() {
                return Refuted::Unknown(why);
            }
            if self.budget.is_over() {
                return Refuted::Unknown("time".into());
            }
            open = timed_out;
            slice = slice.saturating_mul(4);
        }
    }
}

/// One encoding of an obligation, with a solver that keeps it from slice to slice.
struct Attempt {
    formula: Term,
    /// Whether the formula has more models than the obligation.
    weaker: bool,
    encoding: Encoding,
    tactics: bool,
    solver: Option<Z3Solver>,
}

impl Attempt {
    /// A formula of which only a refutation counts.
    fn weaker(formula: Term) -> Attempt {
        Attempt { formula, weaker: true, encoding: Encoding::Int, tactics: false, solver: None }
    }

    fn ask(&mut self, slice: Duration, budget: &Budget) -> Result<CheckResult, String> {
        if let Some(solver) = self.solver.as_mut().filter(|s| !s.is_broken()) {
            solver.set_query_time(slice);
            return Ok(solver.check());
        }
        let limits = Limits { query_time: Some(slice), ..Limits::default() };
        let made = if self.tactics { Z3Solver::new(self.encoding, &limits) } else { Z3Solver::without_tactics(self.encoding, &limits) };
        let mut solver = made.map_err(|e| e.to_string())?;
        solver.set_budget(budget);
        for c in self.formula.conjuncts() {
            solver.assert(c);
        }
        Ok(self.solver.insert(solver).check())
    }
}
