//! Testing: concrete executions with chosen inputs.
//!
//! **Problem.** Symbolic engines unwind a loop once per iteration; an error behind a hundred thousand iterations is out of their reach, while
//! the interpreter is there in a moment. And many errors need no particular inputs.
//!
//! **Picture.** Executions follow each other with longer and longer limits: of every two one may be four times as long as the
//! other, of every four one sixteen times, and so on, so that short ones do not starve and long ones come early. Inputs are drawn
//! from what programs look at (see [`values`]). An execution that crosses an edge for the first time is remembered, and later ones begin like it, with
//! something changed. Where an assumption stops an execution, one of the last inputs is drawn again.
//!
//! When no execution was cut short and none came anywhere new for a good while, there is little hope left, and the search ends.
//!
//! A program that takes no input has one execution, which is its own proof if it ends well ([`alone`]).
//!
//! **Contract.** Of other programs it only ever refutes; the evidence is the inputs of the execution. Deterministic, but for where the time ends.

mod alone;
mod inputs;
pub(crate) mod values;

use inputs::{cells, Choice, Chosen, Given};
use plumb_cfa::interp::{Discard, Halt, Interpreter, Limit, Limits, Outcome, Random, Zero};
use plumb_cfa::Program;
use plumb_term::eval::Value;
use plumb_term::{Budget, Cell, IntTy, Scalar, VarTy};
use plumb_verdict::{Notes, Reason, ReasonKind, Verdict};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;
use values::{Constants, Manner};

/// Edges that the shortest executions may cross.
const STEPS: u64 = 1 << 15;
/// Inputs that they may take.
const INPUTS: usize = 64;
/// The most inputs of any: each takes memory.
const MOST_INPUTS: usize = 1 << 18;
/// How often inputs before an assumption that fails are drawn again, until an execution comes further.
const RETRIES: usize = 20;
/// The part of the time after which a search without progress ends.
const PATIENCE: u32 = 8;
/// How many executions are remembered.
const REMEMBERED: usize = 1000;
/// How many inputs of each.
const BEGINNING: usize = 4096;

/// Executes the program until the error is reached or the budget is over.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    // The check takes as long.
    if let Some(proof) = alone::proof(program, &budget.part(3)) {
        return Verdict::Safe(proof);
    }
    let mut tester = Tester::new(program, budget);
    let verdict = tester.search(progress);
    notes.figure("executions", tester.executions);
    notes.figure("remembered executions", tester.remembered.len());
    notes.figure("edges crossed", tester.crossed);
    notes.figure("longest execution", tester.longest);
    verdict
}

/// How an execution ended, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Error,
    /// An assumption failed, or the program gave up: other inputs might be better.
    Refused,
    /// A limit of this execution was reached.
    Cut,
    Other,
}

struct Tester<'p> {
    budget: &'p Budget,
    machine: Option<Interpreter<'p>>,
    cells: Rc<[Cell]>,
    constants: Rc<Constants>,
    random: Random,
    /// The inputs of executions that came where none was before.
    remembered: Vec<Vec<Value>>,
    executions: u64,
    crossed: u64,
    longest: u64,
    /// When an execution was cut short, or came where none was before.
    progress: Instant,
}

impl<'p> Tester<'p> {
    fn new(program: &'p Program, budget: &'p Budget) -> Tester<'p> {
        Tester {
            budget,
            machine: Some(Interpreter::new(program, Box::new(Zero), Box::new(Discard), Limits::default()).accelerated()),
            cells: cells(program),
            constants: Rc::new(Constants::of(program)),
            random: Random::new(0),
            remembered: Vec::new(),
            executions: 0,
            crossed: 0,
            longest: 0,
            progress: Instant::now(),
        }
    }

    fn search(&mut self, progress: &mut dyn FnMut(&str)) -> Verdict {
        let patience = self.budget.left().map(|left| left / PATIENCE);
        let mut turn: u64 = 0;
        while !self.budget.is_over() && patience.is_none_or(|p| self.progress.elapsed() < p) {
            turn += 1;
            let level = turn.trailing_zeros().min(24);
            progress(&format!("execution {}", self.executions + 1));
            let first = self.beginning();
            let (mut end, mut given) = self.execute(first, turn, level);
            let (mut tries, mut most) = (0, given.len());
            while end == End::Refused && tries < RETRIES && !given.is_empty() && !self.budget.is_over() {
                let again = self.redrawn(&given);
                (end, given) = self.execute(again, turn, level);
                tries += 1;
                if given.len() > most {
                    (tries, most) = (0, given.len());
                }
            }
            match end {
                End::Error => return Verdict::Unsafe(given.trace()),
                End::Cut if !given.is_empty() => self.progress = Instant::now(),
                // Without inputs there is one execution only.
                End::Cut if given.is_empty() => turn = (1 << (level + 1)) - 1,
                _ if given.is_empty() => {
                    let why = "the only execution does not reach the error".to_owned();
                    return Verdict::Unknown(Reason::new(ReasonKind::Incomplete(why)));
                }
                _ => {}
            }
        }
        let why = format!("none of {} executions reaches the error", self.executions);
        Verdict::Unknown(Reason::new(ReasonKind::Incomplete(why)))
    }

    /// The first inputs of the next execution: those of a remembered one with some of them changed, or none.
    fn beginning(&mut self) -> Vec<Value> {
        if self.remembered.is_empty() || self.random.below(3) == 0 {
            return Vec::new();
        }
        // The younger the better.
        let n = self.remembered.len();
        let age = self.random.below(n).min(self.random.below(n));
        let mut first = self.remembered[n - 1 - age].clone();
        match self.random.below(3) {
            0 if !first.is_empty() => first.truncate(self.random.below(first.len() + 1)),
            1 if !first.is_empty() => {
                for _ in 0..1 + self.random.below(3) {
                    let at = self.random.below(first.len());
                    self.change(&mut first[at]);
                }
            }
            _ => {}
        }
        first
    }

    /// Draws one of the values again.
    fn change(&mut self, value: &mut Value) {
        let ty = match value {
            Value::Bool(_) => VarTy::Bool,
            // Where it is used, it takes the type that is asked for.
            Value::Int(_) => VarTy::Scalar(Scalar::Int(IntTy::I32)),
            Value::Float(f) => VarTy::Scalar(Scalar::Float(f.ty)),
            Value::Mem(_) => return,
        };
        let manner = Manner::draw(&mut self.random);
        *value = self.constants.value(manner, ty, &mut self.random);
    }

    /// The same inputs, but one of the last ones drawn again.
    fn redrawn(&mut self, given: &Given) -> Vec<Value> {
        let mut values = given.scalars();
        let near = values.len().min(3);
        if near > 0 {
            let back = self.random.below(near).min(self.random.below(near));
            let at = values.len() - 1 - back;
            self.change(&mut values[at]);
        }
        values
    }

    fn execute(&mut self, first: Vec<Value>, turn: u64, level: u32) -> (End, Given) {
        let given = Rc::new(RefCell::new(Given::default()));
        let most = INPUTS.saturating_mul(1 << (2 * level).min(30)).min(MOST_INPUTS);
        let manner = (turn == 1).then_some(Manner::Zero);
        let choice = Choice { first, most, seed: self.executions, manner };
        let chosen = Chosen::new(choice, self.cells.clone(), self.constants.clone(), given.clone());
        // What is found must be replayed and explained, which takes longer than finding it.
        let part = self.budget.part(5);
        let Some(machine) = self.machine.take() else { return (End::Other, Given::default()) };
        let limits = Limits { steps: STEPS << (2 * level).min(40), ..Limits::default() };
        let mut machine = machine.restarted(Box::new(chosen), limits).within(part);
        let outcome = machine.run();
        self.executions += 1;
        self.longest = self.longest.max(machine.steps());
        let crossed = machine.edges_crossed();
        let end = match outcome {
            Outcome::Error { .. } if !machine.depends_on_abstraction() => End::Error,
            Outcome::Halted { halt: Halt::Blocked | Halt::Abort, .. } => End::Refused,
            Outcome::LimitReached(Limit::Steps | Limit::Budget) | Outcome::BadInput { .. } => End::Cut,
            _ => End::Other,
        };
        self.machine = Some(machine);
        let given = std::mem::take(&mut *given.borrow_mut());
        if crossed > self.crossed {
            self.crossed = crossed;
            self.progress = Instant::now();
            let mut scalars = given.scalars();
            scalars.truncate(BEGINNING);
            if self.remembered.len() < REMEMBERED && !scalars.is_empty() {
                self.remembered.push(scalars);
            }
        }
        (end, given)
    }
}
