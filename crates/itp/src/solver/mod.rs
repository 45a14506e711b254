//! The solver: assertions in parts and scopes, checks under assumptions, models, cores and refutations.
//!
//! **The picture.** Numbers, Booleans and atoms come from the solver; gates build formulas of them; assertions go to the current [`Part`]. A
//! scope ([`push`](Solver::push)) holds assertions until it is popped: they carry a literal of the scope, which is assumed in
//! checks and left out of refutations. What was learned stays. Definitions of gates and theory lemmas hold in all scopes.
//!
//! **Contract.** After `Unsat`, [`core`](Solver::core) are assumptions that are not satisfiable together with the assertions, and
//! [`refutation`](Solver::refutation) proves the clause of their negations; after `Sat`, [`model`](Solver::model) satisfies assertions and assumptions.

mod assertions;
mod budget;
mod config;
mod formulas;
mod gates;
mod model;

pub use budget::{Answer, Budget, Why};
pub use config::{Config, Statistics};
pub use model::Model;

use crate::arith::Arithmetic;
use crate::lit::Lit;
use crate::proof::{Atom, Part, Proof};
use crate::search::{Outcome, Search, Step};
use crate::theory::Theory;
use crate::vocabulary::Vocabulary;
use gates::Gates;
use std::time::Instant;

/// What the last check left behind.
enum Last {
    Nothing,
    Model,
    Refuted { core: Vec<Lit>, step: Option<Step> },
}

/// A solver over the theory `T`. See the module's documentation.
pub struct Solver<T = Arithmetic> {
    vocabulary: Vocabulary,
    search: Search<T>,
    gates: Gates,
    config: Config,
    parts: u32,
    current: Part,
    /// The literals that stand for the open scopes.
    scopes: Vec<Lit>,
    /// Whether a variable stands for a scope, by index.
    hidden: Vec<bool>,
    last: Last,
}

impl Solver {
    /// A solver without assertions, for linear arithmetic with functions.
    pub fn new(config: Config) -> Solver {
        Solver::with_theory(config, Arithmetic::new())
    }
}

impl<T: Theory> Solver<T> {
    /// A solver without assertions.
    pub fn with_theory(config: Config, theory: T) -> Solver<T> {
        Solver {
            vocabulary: Vocabulary::default(),
            search: Search::new(theory, config),
            gates: Gates::default(),
            config,
            parts: 0,
            current: Part(0),
            scopes: Vec::new(),
            hidden: Vec::new(),
            last: Last::Nothing,
        }
    }

    /// Whether what is asserted has a model in which the assumptions hold.
    pub fn check(&mut self, assumptions: &[Lit], budget: &Budget) -> Answer {
        let start = Instant::now();
        for &a in assumptions {
            self.define(a);
            self.vocabulary.place(a.var());
        }
        let all: Vec<Lit> = self.scopes.iter().chain(assumptions).copied().collect();
        let outcome = self.search.solve(&mut self.vocabulary, &all, budget);
        self.search.statistics.time += start.elapsed();
        let (answer, last) = match outcome {
            Outcome::Sat => (Answer::Sat, Last::Model),
            Outcome::Unsat { mut core, step } => {
                core.retain(|l| !self.is_hidden(*l));
                (Answer::Unsat, Last::Refuted { core, step })
            }
            Outcome::Unknown(why) => (Answer::Unknown(why), Last::Nothing),
        };
        self.last = last;
        answer
    }

    fn is_hidden(&self, lit: Lit) -> bool {
        self.hidden.get(lit.var().index()).copied().unwrap_or(false)
    }

    /// The model that the last check found, if it did and nothing was asserted since.
    pub fn model(&self) -> Option<Model> {
        if !matches!(self.last, Last::Model) {
            return None;
        }
        let numbers = self.search.numbers().to_vec();
        let assignment = self.search.assignment();
        let value = |(i, m): (usize, &crate::proof::Meaning)| match (assignment.get(i), &m.atom) {
            (Some(1), _) => true,
            (Some(-1), _) | (_, Atom::Boolean) => false,
            (_, Atom::LessEq(t)) => model::evaluate(t, &numbers).signum() <= 0,
        };
        let mut booleans: Vec<bool> = self.vocabulary.booleans().iter().enumerate().map(value).collect();
        self.gates.evaluate(&mut booleans);
        Some(Model { booleans, numbers })
    }

    /// The assumptions that the last check found not to be satisfiable; nothing if it did not, or something was asserted since.
    pub fn core(&self) -> Option<&[Lit]> {
        match &self.last {
            Last::Refuted { core, .. } => Some(core),
            _ => None,
        }
    }

    /// The proof of what the last check refuted: its last clause is empty, or has negations of assumptions only. Nothing if the last check did
    /// not refute, something was asserted since, proofs are off, or two assumptions are opposite.
    pub fn refutation(&self) -> Option<Proof> {
        match &self.last {
            Last::Refuted { step: Some(step), .. } if self.config.proofs => {
                Some(self.search.refutation(*step, &self.vocabulary, self.parts, &self.hidden))
            }
            _ => None,
        }
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        self.search.statistics
    }

    /// The theory, to ask what it did.
    pub fn theory(&self) -> &T {
        self.search.theory()
    }

    /// The variables.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }
}
