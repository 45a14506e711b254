//! Deciding formulas about machine integers, floats and memories as circuits, by a SAT solver.
//!
//! **Problem.** Unrolled programs are large formulas whose difficulty is Boolean: which branches, which cells, which schedule. Z3's theory of arrays and its preprocessing of bit-vectors
//! take most of the time there.
//!
//! **Picture.** A term becomes a word of gates ([`build`]): sums are adders, a float is its bit pattern and
//! is taken apart by operations ([`float`]), a memory is not there at all, since a read is a choice between what was stored where ([`memory`]). Gates are
//! stored once, and constants vanish while they are built ([`gates`]). CaDiCaL gets the clauses that define the gates.
//!
//! **Contract.** `Unsat` is answered only if the formula has no model in the sense of [`plumb_term::eval`], `Sat` only with a model that satisfies it by evaluation. Floats are exact, but
//! which NaN an operation yields is open. Formats other than `float` and `double`, `fmod`, integers without bounds, memories that are compared as a whole, and what becomes too large have no circuit. Deterministic but for the time limit.
//!
//! **Source.** Clarke, Kroening, Lerda, *A Tool for Checking ANSI-C Programs*, TACAS 2004; Biere, Fazekas, Fleury, Heisinger, *CaDiCaL …*, SAT Competition 2020.

mod arith;
mod build;
mod convert;
mod float;
#[cfg(test)]
mod float_tests;
mod gates;
mod memory;
mod round;
mod session;
#[cfg(test)]
mod tests;
mod words;

pub use session::{Bit, Session};

use crate::boxes::Found;
use crate::encode::Unencodable;
use crate::model::Model;
use build::{Builder, Unbuilt};
use gates::Lit;
use plumb_term::eval::{MemValue, Value};
use plumb_term::visit::postorder;
use plumb_term::{Budget, Cell, FBinOp, Float, IBig, IntTy, Kind, Scalar, Sort, Term, Var, VarTy};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A circuit with more gates is not built.
const MOST_GATES: usize = 2_000_000;
/// Nor one with more parts.
const MOST_PARTS: usize = 1_000_000;

/// Ends the search with a budget.
struct Watch(Budget);

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.0.is_over()
    }
}

/// A search for a model of one formula. The circuit is built when it is asked.
pub struct Circuit {
    formula: Term,
    words: bool,
    state: State,
}

enum State {
    /// What is built so far.
    Building(Box<Builder>),
    Built(Box<Search>),
    Refuted,
    /// There is no circuit.
    Beyond(Unencodable),
}

struct Search {
    builder: Box<Builder>,
    solver: cadical::Solver<Watch>,
}

impl Circuit {
    /// A search, if the formula is about machine integers, floats of the formats of `float` and `double`, and memories of them.
    pub fn new(formula: Term) -> Option<Circuit> {
        let fits = |t: &Term| match t.kind() {
            Kind::FBin(FBinOp::Rem, ..) => false,
            Kind::Var(v) if v.ty == VarTy::Int => false,
            Kind::Eq(a, _) => !matches!(a.sort(), Sort::Mem(_)),
            _ => match t.sort() {
                Sort::Float(ty) | Sort::Mem(Cell::Scalar(Scalar::Float(ty))) => round::is_supported(ty),
                _ => true,
            },
        };
        let terms = postorder([formula]);
        let words = terms.iter().any(|t| matches!(t.kind(), Kind::Mul(..) | Kind::Div(..) | Kind::Rem(..) | Kind::FBin(..)));
        terms.iter().all(fits).then_some(Circuit { formula, words, state: State::Building(Box::default()) })
    }

    /// Whether a solver that sees words may know what gates hide: products, quotients and floats are large circuits.
    pub fn hides_words(&self) -> bool {
        self.words
    }

    /// Why there is no circuit, once that is known.
    pub fn beyond(&self) -> Option<&Unencodable> {
        match &self.state {
            State::Beyond(why) => Some(why),
            _ => None,
        }
    }

    /// Goes on for at most `slice`, with the circuit first, then with the search; what was built and learnt stays. `Undecided` if there is no circuit.
    pub fn run(&mut self, slice: Duration, budget: &Budget) -> Found {
        let budget = budget.at_most(slice);
        if let State::Building(builder) = &mut self.state {
            match builder.go_on(self.formula, &budget) {
                Ok(roots) => self.state = State::built(std::mem::take(builder), roots),
                Err(Unbuilt::Time) => return Found::Open,
                Err(Unbuilt::Beyond(why)) => self.state = State::Beyond(why),
            }
        }
        let search = match &mut self.state {
            State::Built(search) => search,
            State::Refuted => return Found::Unsat,
            State::Building(_) | State::Beyond(_) => return Found::Undecided,
        };
        if budget.is_over() {
            return Found::Open;
        }
        search.solver.set_callbacks(Some(Watch(budget.clone())));
        match search.solver.solve() {
            Some(false) => {
                self.state = State::Refuted;
                Found::Unsat
            }
            Some(true) => {
                let model = search.model();
                match model.holds(self.formula) {
                    Some(true) => Found::Sat(Box::new(model)),
                    _ => Found::Undecided,
                }
            }
            None if budget.is_over() => Found::Open,
            None => Found::Undecided,
        }
    }
}

impl State {
    /// The clauses of a circuit whose roots must hold, in a solver.
    fn built(builder: Box<Builder>, mut roots: Vec<Lit>) -> State {
        if roots.contains(&Lit::FALSE) {
            return State::Refuted;
        }
        roots.retain(|r| r.constant().is_none());
        let mut solver = cadical::Solver::new();
        builder.gates.clauses(&roots, &mut Vec::new(), &mut |clause| solver.add_clause(clause.iter().copied()));
        roots.iter().for_each(|r| solver.add_clause([r.dimacs()]));
        State::Built(Box::new(Search { builder, solver }))
    }
}

impl Search {
    /// The number that a word stands for.
    fn number(&self, word: &[Lit]) -> IBig {
        let bit = |l: &Lit| match l.constant() {
            Some(value) => value,
            None => self.solver.value(l.dimacs()).unwrap_or(false),
        };
        word.iter().rev().fold(IBig::ZERO, |n, l| (n << 1) + IBig::from(u8::from(bit(l))))
    }

    fn model(&self) -> Model {
        let mut values: FxHashMap<Var, Value> = FxHashMap::default();
        for (v, word) in &self.builder.inputs {
            let n = self.number(word);
            let value = match v.ty {
                VarTy::Bool => Value::Bool(n != IBig::ZERO),
                VarTy::Scalar(Scalar::Int(ty)) => Value::Int(ty.wrap(&n)),
                VarTy::Scalar(Scalar::Float(ty)) => match u128::try_from(n) {
                    Ok(pattern) => Value::Float(Float::from_bits(ty, pattern)),
                    Err(_) => continue,
                },
                _ => continue,
            };
            values.insert(*v, value);
        }
        // An address may come from a cell that was read before: older terms first.
        let mut reads: Vec<(Term, Var, IBig)> = Vec::new();
        for (v, list) in &self.builder.reads {
            reads.extend(list.iter().map(|(at, word)| (*at, *v, self.number(word))));
        }
        reads.sort_by_key(|r| r.0.id());
        for (at, v, content) in reads {
            let VarTy::Mem(cell) = v.ty else { continue };
            let Some(Value::Int(at)) = plumb_term::eval::eval(at, &|v| Some(values.get(&v).cloned().unwrap_or(Value::default_of(v.ty))))
            else {
                continue;
            };
            let content = match cell {
                Cell::Byte => IntTy::U8.wrap(&content),
                Cell::Scalar(Scalar::Int(ty)) => ty.wrap(&content),
                Cell::Scalar(Scalar::Float(_)) => content,
            };
            if let Value::Mem(memory) = values.entry(v).or_insert_with(|| Value::Mem(MemValue::zero(cell))) {
                memory.set(at, content);
            }
        }
        Model::of_values(values)
    }
}
