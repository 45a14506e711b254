//! A solver that can explain itself: linear arithmetic with Booleans and uninterpreted functions, refutations that can be
//! replayed, and Craig interpolants read off them.
//!
//! **Problem.** Engines that refine abstractions ask two questions of a formula that is a conjunction of *parts* (the steps of
//! a path, the nodes of a graph): is it satisfiable, and if not, which formula over the common variables explains at each
//! cut between parts why the two sides exclude each other?
//!
//! **The picture.** A solver is asserted clauses over literals; an atom is a Boolean or a linear constraint
//! `Σ aᵢ·xᵢ + c ≤ 0` ([`Linear`]). Every assertion belongs to a [`Part`]. CDCL(T) decides; what it learns is logged
//! as a resolution [`Proof`](proof::Proof) whose leaves are clauses of parts and lemmas of the theories with certificates. A checker
//! replays a proof with code that shares nothing with the solver; interpolation turns it into formulas.
//!
//! **Contract.** `Unsat` always comes with a proof, `Sat` with a model of all that was asserted; everything else is `Unknown`
//! with the reason. Arithmetic is exact. Over integers a strict inequality is a weak one; over rationals strictness is kept.

pub mod arith;
pub mod formula;
pub mod interpolate;
pub mod linear;
pub mod lit;
mod pool;
pub mod proof;
pub mod proof_check;
pub mod proof_text;
mod search;
pub mod simplify;
pub mod solver;
pub mod theory;
pub mod vocabulary;

pub use formula::Formula;
pub use linear::{Linear, NumVar, Sort};
pub use lit::{BoolVar, Lit};
pub use proof::{Part, Proof};
pub use solver::{Answer, Budget, Config, Model, Solver, Statistics, Why};
pub use vocabulary::{Literal, Vocabulary};
