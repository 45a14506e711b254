//! The independent checker: no verdict leaves plumb without it.
//!
//! [`check_proof`] accepts a proof of safety only after discharging its obligations on the original program, under the exact
//! machine meaning; [`replay`] accepts a trace only after the interpreter has run from its inputs to the error. Both share
//! nothing with the engines but terms, automata and the solver binding. [`inductive_part`] finds what of an engine's beliefs it would accept.

mod contracts;
mod execution;
mod facts;
mod instances;
mod obligation;
mod proof;
mod records;
mod replay;
mod small;
mod symex;

pub use facts::inductive_part;
pub use plumb_cfa::interp::Event;
pub use proof::{check_proof, Rejected};
pub use replay::replay;
