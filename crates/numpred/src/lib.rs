//! NUMPREDDOM: predicate and numeric abstraction in one domain (Gurfinkel and Chaki, "Combining Predicate and Numeric Abstraction for Software Model
//! Checking", FMCAD 2008).
//!
//! **Problem.** Predicates are good at control and poor at arithmetic, numeric domains the other way round. Here a state is what predicates say of it *and* what numeric
//! constraints say, and each side's information changes the other's update.
//!
//! **Picture.** With P the predicates and N the elements of a numeric domain (Table I):
//!
//! ```text
//!   NEXPOINT   2^(2^P) × N    (p ∨ q) ∧ 0 ≤ x ≤ 5                               a pair
//!   NEX        2^P → N        (p ∧ 0 ≤ x ≤ 3) ∨ (q ∧ 1 ≤ x ≤ 5)                 disjoint sets of valuations, an element each
//!   MTNDD      2^P → N        the same                                          a diagram with elements as leaves
//!   NDD        2^P → 2^N      (p ∧ (x = 0 ∨ x = 3)) ∨ (q ∧ (x = 1 ∨ x = 5))     a diagram over predicates and constraints
//! ```
//!
//! * [`Expr`] is the language of both sides, [`Vocabulary`] says which predicates there are and which of them are numeric constraints, and has the projections of Section IV.
//! * [`NumPredDom`] is the interface of Fig. 3 and 4 with what an implementation owes; [`NexPoint`], [`Nex`], [`Mtndd`] and [`Ndd`] implement it over any
//!   domain of `plumb-num`.
//! * [`program`] abstracts blocks of programs over terms to transformers.
//! * [`Transformer`] is the grammar of Fig. 5; [`transformer::compile`] abstracts one (αPost), [`transformer::apply`] applies it.
//!
//! **Contract.** The concrete states are pairs of a valuation of the predicates and a point in which every predicate that is a numeric constraint has that constraint's truth. All
//! operations over-approximate sets of such states. Diagrams have a limit; an operation that needs more says [`Full`], and the domain stays usable.

pub mod domain;
pub mod expr;
mod intern;
pub mod mtndd;
pub mod ndd;
pub mod nex;
pub mod nexpoint;
pub mod numbers;
pub mod program;
mod props;
mod restrict;
mod said;
pub mod structure;
pub mod timing;
pub mod transformer;
pub mod update;
pub mod vocabulary;

pub use domain::NumPredDom;
pub use expr::{Expr, Literal, Logic, Pred};
pub use mtndd::Mtndd;
pub use ndd::Ndd;
pub use nex::Nex;
pub use nexpoint::NexPoint;
pub use numbers::Numbers;
pub use plumb_dd::Full;
pub use structure::{Structure, WithDomain};
pub use timing::{Part, Timing};
pub use transformer::{Choice, Transformer};
pub use update::Update;
pub use vocabulary::Vocabulary;
