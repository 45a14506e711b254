//! Why there is no answer.

use plumb_term::Span;
use std::fmt;

/// What stood in the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReasonKind {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// A construct that is reachable and not supported.
    Unsupported(String),
    /// The engine's method does not reach further.
    Incomplete(String),
    /// The solver gave up.
    Solver(String),
    /// The checker rejected the engine's proof.
    ProofRejected(String),
    /// The checker did not get to the end of the engine's proof.
    ProofUndecided(String),
    /// The interpreter did not reach the error from the engine's inputs.
    TraceRejected(String),
    /// A failure inside plumb.
    Internal(String),
}

/// Why there is no answer, where, and what was established nevertheless.
#[derive(Clone, Debug)]
pub struct Reason {
    /// What stood in the way.
    pub kind: ReasonKind,
    /// The place in the source, where there is one.
    pub span: Option<Span>,
    /// Facts proved on the way, as sentences.
    pub established: Vec<String>,
}

impl Reason {
    /// A reason without a place.
    pub fn new(kind: ReasonKind) -> Reason {
        Reason { kind, span: None, established: Vec::new() }
    }

    /// The same reason at a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Reason {
        self.span = Some(span);
        self
    }

    /// The same reason with a fact that was established.
    #[must_use]
    pub fn with(mut self, fact: impl Into<String>) -> Reason {
        self.established.push(fact.into());
        self
    }
}

impl fmt::Display for ReasonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReasonKind::Time => f.write_str("the time limit was reached"),
            ReasonKind::Memory => f.write_str("the memory limit was reached"),
            ReasonKind::Unsupported(what) => write!(f, "unsupported: {what}"),
            ReasonKind::Incomplete(what) => f.write_str(what),
            ReasonKind::Solver(what) => write!(f, "the solver gave up: {what}"),
            ReasonKind::ProofRejected(what) | ReasonKind::ProofUndecided(what) => {
                write!(f, "a proof was found but not accepted by the checker: {what}")
            }
            ReasonKind::TraceRejected(what) => write!(f, "an error path was found but could not be replayed: {what}"),
            ReasonKind::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}
