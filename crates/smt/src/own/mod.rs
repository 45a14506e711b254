//! plumb's own solver (`plumb-itp`) for terms: the fast path for linear questions, and the source of interpolants.
//!
//! **Contract.** The translation is exact for Booleans, linear integer arithmetic, wraps, division by constants, shifts by constants and masks of low
//! bits. Every other operator on integers is taken as an uninterpreted function of its operands within the range of its shape:
//! `Unsat` is then still right, while a model need not be one and is decided once more. Memories are reduced to cells before; floats are not
//! translated.

mod alias;
mod arithmetic;
mod back;
mod block;
mod cells;
mod contents;
mod copies;
mod engine;
mod general;
mod local;
mod reach;
mod reads;
mod solver;
mod translate;

pub(crate) use contents::reads_memory;
pub use engine::Own;
pub use plumb_itp::interpolate::Strength;
pub use solver::OwnSolver;
