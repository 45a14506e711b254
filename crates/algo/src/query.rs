//! Satisfiability of path conditions: solvers of its own for each question, in the encodings that fit, in growing time slices.

use plumb_cfa::{DataModel, Integers, Program};
use plumb_smt::{linearised, typed, Boxes, CheckResult, Circuit, Encoding, Found, Limits, Model, Reason, Solver, Z3Solver};
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

    /// The same, with an encoding that is tried first.
    #[must_use]
    pub fn preferring(mut self, encoding: Encoding) -> Queries<'p> {
        self.preferred = Some(encoding);
        self
    }

    /// Whether one of the conditions can hold.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = Term>) -> Answer {
        let condition = Term::any(conditions.into_iter().map(|c| self.prepared(c)));
        self.in_slices(&mut Question::new(self.program, condition), Duration::MAX)
    }

    /// The same for one condition, giving up when each encoding has had `patience`.
    pub fn patiently(&mut self, condition: Term, patience: Duration) -> Answer {
        self.in_slices(&mut Question::new(self.program, self.prepared(condition)), patience)
    }

    /// The same in one slice.
    pub fn quick(&mut self, condition: Term, patience: Duration) -> Answer {
        self.within(&mut Question::new(self.program, self.prepared(condition)), patience)
    }

    /// In growing slices: what one encoding is slow at, another one may know at once.
    fn in_slices(&mut self, question: &mut Question, most: Duration) -> Answer {
        let mut slice = Duration::from_millis(100).min(most);
        loop {
            let answer = self.within(question, slice);
            match answer {
                Answer::Unknown(ReasonKind::Time) if !self.budget.is_over() && slice < most => slice = slice.saturating_mul(3).min(most),
                _ => return answer,
            }
        }
    }

    /// Whether a condition cannot hold, giving up after about `patience`. Of a condition with products only the linear view is looked at: the encodings
    /// would rarely decide it in a short time.
    pub fn refuted(&mut self, condition: Term, patience: Duration) -> bool {
        let mut question = Question::new(self.program, condition);
        if question.attempts.iter().any(|a| a.weaker) {
            question.attempts.retain(|a| a.weaker);
        }
        matches!(self.within(&mut question, patience), Answer::Unsat)
    }

    /// The condition as bits can encode it. Inputs have machine types then, so that models still say what they are.
    fn prepared(&self, condition: Term) -> Term {
        match self.program.semantics.integers {
            Integers::Machine => typed(condition),
            Integers::Ideal => condition,
        }
    }

    /// Each encoding for at most `slice`.
    fn within(&mut self, question: &mut Question, slice: Duration) -> Answer {
        if question.formula.is_false() {
            return Answer::Unsat;
        }
        question.attempts.sort_by_key(|a| !a.weaker && Some(a.encoding) != self.preferred);
        let mut timed_out = false;
        match question.boxes.as_mut().map(|b| b.run(&self.budget.at_most(slice / 2))) {
            Some(Found::Unsat) => return Answer::Unsat,
            Some(Found::Sat(model)) => return Answer::Sat(model),
            Some(Found::Undecided) => question.boxes = None,
            Some(Found::Open) => timed_out = true,
            None => {}
        }
        // Similar questions follow each other: gates first, unless arithmetic answered the last one.
        let gates_first = self.preferred != Some(Encoding::Int);
        if gates_first {
            if let Some(answer) = self.by_gates(question, slice, &mut timed_out) {
                return answer;
            }
        }
        for i in 0..question.attempts.len() {
            if self.budget.is_over() {
                return Answer::Unknown(ReasonKind::Time);
            }
            let attempt = &mut question.attempts[i];
            // A circuit has the same bits and is faster, unless there is more to see in words.
            let repeats = attempt.encoding != Encoding::Int && question.circuit.as_ref().is_some_and(|c| !c.hides_words());
            if attempt.gave_up || repeats {
                continue;
            }
            match attempt.ask(slice, self.budget) {
                Ok(Answer::Sat(_)) if attempt.weaker => {
                    attempt.gave_up = true;
                    attempt.solver = None;
                }
                Ok(Answer::Unknown(ReasonKind::Time)) => timed_out = true,
                Ok(Answer::Unknown(why)) => {
                    attempt.gave_up = true;
                    attempt.solver = None;
                    question.why = why;
                }
                Ok(answer) => {
                    if !attempt.weaker {
                        self.preferred = Some(attempt.encoding);
                    }
                    return answer;
                }
                Err(e) => return Answer::Unknown(ReasonKind::Internal(e)),
            }
        }
        if !gates_first {
            if let Some(answer) = self.by_gates(question, slice, &mut timed_out) {
                return answer;
            }
        }
        Answer::Unknown(if timed_out { ReasonKind::Time } else { question.why.clone() })
    }

    /// What the circuit of a question says, if there is one and the time suffices.
    fn by_gates(&mut self, question: &mut Question, slice: Duration, timed_out: &mut bool) -> Option<Answer> {
        let circuit = question.circuit.as_mut()?;
        let answer = match circuit.run(slice, self.budget) {
            Found::Unsat => Answer::Unsat,
            Found::Sat(model) => Answer::Sat(model),
            Found::Undecided => {
                question.circuit = None;
                // Those that waited for it are next.
                *timed_out = true;
                return None;
            }
            Found::Open => {
                *timed_out = true;
                return None;
            }
        };
        self.preferred = Some(question.bits);
        Some(answer)
    }
}

/// A formula, looked at once, with a solver for each encoding that keeps the encoded formula, and what it learnt, from slice to slice.
struct Question {
    formula: Term,
    /// The most promising first.
    attempts: Vec<Attempt>,
    /// Where floats are compared.
    boxes: Option<Boxes>,
    /// If there is one.
    circuit: Option<Circuit>,
    /// The encoding to bits.
    bits: Encoding,
    why: ReasonKind,
}

impl Question {
    fn new(program: &Program, formula: Term) -> Question {
        let bits = match program.semantics.model {
            DataModel::Ilp32 => Encoding::BITS32,
            DataModel::Lp64 => Encoding::BITS64,
        };
        let (mut bitwise, mut splices) = (false, false);
        for t in postorder([formula]) {
            match t.kind() {
                Kind::BitAnd(..) | Kind::BitOr(..) | Kind::BitXor(..) | Kind::Shl(..) | Kind::Shr(..) => bitwise = true,
                Kind::FBin(..) | Kind::FCmp(..) | Kind::FToInt(..) | Kind::FBits(_) => bitwise = true,
                Kind::Splice { .. } => splices = true,
                _ => {}
            }
        }
        let encodings = match program.semantics.integers {
            Integers::Ideal => vec![Encoding::Int],
            Integers::Machine if bitwise => vec![bits],
            Integers::Machine => vec![bits, Encoding::Int],
        };
        let attempt = |encoding| {
            let tactics = encoding != Encoding::Int || splices;
            Attempt { formula, weaker: false, encoding, tactics, solver: None, gave_up: false }
        };
        let weaker = linearised(formula).map(|weaker| Attempt { formula: weaker, weaker: true, ..attempt(Encoding::Int) });
        let attempts = weaker.into_iter().chain(encodings.into_iter().map(attempt)).collect();
        let machine = program.semantics.integers == Integers::Machine;
        let circuit = if machine { Circuit::new(formula) } else { None };
        Question { formula, attempts, boxes: Boxes::new(formula), circuit, bits, why: ReasonKind::Time }
    }
}

/// One encoding of a formula.
struct Attempt {
    formula: Term,
    /// Whether the formula has more models than what was asked for: then only a refutation is an answer.
    weaker: bool,
    encoding: Encoding,
    /// Whether the solver picks tactics; see [`Z3Solver::without_tactics`].
    tactics: bool,
    /// With the formula, once it was asked.
    solver: Option<Z3Solver>,
    /// It answered, but not what was asked: more time does not help.
    gave_up: bool,
}

impl Attempt {
    fn ask(&mut self, slice: Duration, budget: &Budget) -> Result<Answer, String> {
        let solver = match &mut self.solver {
            Some(solver) if !solver.is_broken() => {
                solver.set_query_time(slice);
                solver
            }
            none => {
                let limits = Limits { query_time: Some(slice), ..Limits::default() };
                let made =
                    if self.tactics { Z3Solver::new(self.encoding, &limits) } else { Z3Solver::without_tactics(self.encoding, &limits) };
                let mut solver = made.map_err(|e| e.to_string())?;
                solver.set_budget(budget);
                self.formula.conjuncts().into_iter().for_each(|c| solver.assert(c));
                none.insert(solver)
            }
        };
        Ok(match solver.check() {
            CheckResult::Unsat => Answer::Unsat,
            CheckResult::Sat => match solver.model() {
                Some(m) => Answer::Sat(Box::new(m)),
                None => Answer::Unknown(ReasonKind::Solver("no model".into())),
            },
            CheckResult::Unknown(Reason::Time) => Answer::Unknown(ReasonKind::Time),
            CheckResult::Unknown(Reason::Memory) => Answer::Unknown(ReasonKind::Memory),
            CheckResult::Unknown(r) => Answer::Unknown(ReasonKind::Solver(r.to_string())),
        })
    }
}
