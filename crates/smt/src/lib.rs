//! Solving for plumb's terms: satisfiability, models, cores and projection, by Z3 and CaDiCaL.
//!
//! **Problem.** Terms compute over ℤ with explicit wraps; a solver has integers, bit-vectors, arrays and floats. There are two
//! exact encodings of the same terms, [`Encoding::Int`] for linear arithmetic and [`Encoding::Bits`] for what is about
//! bits, and engines choose per query. What is Boolean at heart becomes a [`Circuit`] for a SAT solver.
//!
//! **Contract.** An answer is about the terms, not about an encoding: `Sat` and `Unsat` mean the same under both. What an encoding
//! cannot express ([`Unencodable`]) never changes an answer for the worse: a fact that is left out can only turn `Sat` into
//! `Unknown`. The encoder is part of the trusted base; `tests/` holds it against [`plumb_term::eval`] on random terms of
//! every operator but `fmod`, which neither encodes.
//!
//! **Known freedom.** Which NaN an operation yields is left open: `FBits` of a computed NaN is any quiet NaN pattern. The
//! evaluator picks the one that x86 yields, so a model may have to be replayed to see the pattern. The encoding to bits
//! takes addresses modulo the address width.

pub mod abstraction;
mod answers;
mod apart;
mod back;
mod bounds;
mod boxes;
mod cases;
mod circuit;
mod congruent;
mod encode;
mod entail;
mod exchange;
#[allow(unsafe_code)]
mod ffi;
mod horn;
pub mod interpolate;
mod linearise;
mod model;
mod multiples;
mod own;
mod project;
mod pushed;
mod reduce;
mod solver;
mod split;
mod trial;
mod typed;
mod watchdog;
mod z3;

pub use answers::Answers;
pub use boxes::{Boxes, Found};
pub use cases::{by_cases, has_cases, Split};
pub use circuit::{Bit, Circuit, Session};
pub use encode::{Encoding, Unencodable};
pub use entail::Entailment;
pub use exchange::{without_bits, Exchange};
pub use horn::{Horn, HornAnswer, RelationId};
pub use linearise::linearised;
pub use model::Model;
pub use multiples::{without_remainders, Multiples};
pub use own::{Own, OwnSolver, Strength};
pub use pushed::{memories, Pushed};
pub use solver::{CheckResult, Limits, Reason, SetupError, Solver, Statistics};
pub use typed::typed;
pub use z3::Z3Solver;
