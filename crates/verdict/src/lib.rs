//! Answers and their evidence.
//!
//! An engine returns a [`Verdict`]; `Safe` cannot be made without a [`Proof`], nor `Unsafe` without a [`Trace`]. The checker turns
//! a verdict whose evidence it rejects into `Unknown`. An internal error is never a verdict.

mod facts;
mod notes;
mod proof;
mod reason;
mod trace;

pub use facts::Facts;
pub use notes::{Figure, GraphNode, Notes, ReachGraph};
pub use proof::{at_entry, bound, is_ground, Contract, Method, Proof, Record, AT_ENTRY};
pub use reason::{Reason, ReasonKind};
pub use trace::{InputValue, Trace};

/// The answer to: can the program violate the property?
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It cannot.
    Safe(Proof),
    /// It can.
    Unsafe(Trace),
    /// Not decided.
    Unknown(Reason),
}
