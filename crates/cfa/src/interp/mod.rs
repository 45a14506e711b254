//! The concrete interpreter: the definition of what a program means.
//!
//! **Problem.** Everything plumb says about a program must hold for the executions of the C program. So there is one place that
//! executes a [`Program`](crate::Program) step by step on given inputs, byte-exact, and everything else is tested against it: the front end by
//! comparison with compiled programs, the logical reading ([`crate::effect`]) by comparison on random states, a counterexample by
//! replaying it.
//!
//! **Picture.** Terms are compiled once per function to instructions over registers; a step computes the
//! registers of an edge, then changes variables and memory. The edges of a location are tried in order; the first whose assumption
//! holds (or that has none) is crossed. Activations of functions live on a stack of their own: the recursion of the program is not
//! the recursion of the host.
//!
//! **Contract.** Deterministic: the outcome, the output and the number of steps depend on program, inputs and limits only (a budget in
//! time aside). Total: no program, however malformed, makes it panic; a breach of the automaton's contract by the front end is
//! [`Outcome::InternalError`]. Exact: every value is an exact integer or an IEEE pattern. Undefined behaviour is reported where it happens: by the
//! guards of the front end, and by the memory for what guards cannot see (bounds of objects, lifetimes, frees).

mod accelerate;
mod code;
mod eval;
mod first_read;
pub mod inputs;
mod machine;
mod memory;
mod outcome;
mod plan;
mod print;
mod record;
mod value;

pub use inputs::{Ask, CellAsk, FromText, Inputs, NoInputs, Origin, Random, Replay, Zero};
pub use machine::Interpreter;
pub use memory::LENT_FROM;
pub use outcome::{Halt, Limit, Outcome, UbKind};
pub use print::{Collected, Discard, Output, Process, Stream};
pub use record::{Event, Given, Recorder, Write};

/// What an execution may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Edges crossed.
    pub steps: u64,
    /// Bytes of memory, alive and touched at one time.
    pub memory: u64,
    /// Activations of functions at one time.
    pub call_depth: u64,
}

impl Default for Limits {
    /// No limit of steps, 1 GiB, one million activations.
    fn default() -> Limits {
        Limits { steps: u64::MAX, memory: 1 << 30, call_depth: 1_000_000 }
    }
}
