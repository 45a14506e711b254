//! The only unsafe code of plumb's solving: reference-counted handles on Z3's C objects.
//!
//! **Why not the crate `z3`.** It keeps one context per thread, so that a solver's search would depend on what other solvers
//! of the thread have built before (Z3 orders by internal numbers), it has no conversion between bit-vectors and floats
//! or wide numerals, and it panics when Z3 runs out of memory. This module wraps the same C functions (crate `z3-sys`)
//! with a context per solver and errors as values.
//!
//! **Contract.** A handle owns one reference and keeps its context alive. Handles are untyped; a Z3 error while an
//! expression is built (out of memory, a sort error) *poisons* the context: the operation yields the expression `true`
//! and [`Context::failure`] says what happened. Whoever asks a solver must look at it before trusting an answer.
//! Nothing here is `Send` but [`Interrupter`], which touches the one function that Z3 allows from other threads.

mod ast;
mod context;
mod relation;
mod solver;

pub(crate) use ast::{Ast, Sort};
pub(crate) use context::{library_version, set_global, Context, Interrupter};
pub(crate) use relation::{forall, Relation};
pub(crate) use solver::{RawModel, RawSolver, Tactic};
pub(crate) use z3_sys::DeclKind;
