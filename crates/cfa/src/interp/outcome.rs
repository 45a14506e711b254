//! How an execution ends.

use crate::graph::Loc;
use crate::op::Ub;
use crate::program::FuncId;
use plumb_term::Span;

/// The end of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// `main` returned, or `exit` was called, with this status.
    Exit(i32),
    /// The program stopped without a status.
    Halted {
        /// In what way.
        halt: Halt,
        /// Where.
        span: Span,
    },
    /// An error location of the property was reached.
    Error {
        /// The function.
        func: FuncId,
        /// The location.
        loc: Loc,
    },
    /// The program did something that C leaves undefined.
    Undefined {
        /// What.
        ub: UbKind,
        /// Where.
        span: Span,
    },
    /// A construct that plumb cannot handle was reached.
    Unsupported {
        /// What, as a sentence.
        sentence: String,
        /// Where.
        span: Span,
    },
    /// A limit was reached.
    LimitReached(Limit),
    /// The inputs ran out, or one of them does not fit.
    BadInput {
        /// What is wrong, as a sentence.
        sentence: String,
        /// Where it was asked for.
        span: Span,
    },
    /// The program breaks the contract of the automaton: a bug of the front end, never of the C program.
    InternalError {
        /// What is wrong, as a sentence.
        sentence: String,
        /// Where.
        span: Span,
    },
}

/// Ends without a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// `abort` and its like.
    Abort,
    /// No edge admits the state: an assumption failed.
    Blocked,
}

/// What may run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Edges crossed.
    Steps,
    /// Bytes of memory touched and alive.
    Memory,
    /// Activations of functions at one time.
    CallDepth,
    /// The budget: time, or somebody cancelled.
    Budget,
}

impl Limit {
    /// A phrase for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Limit::Steps => "the limit of steps",
            Limit::Memory => "the memory limit",
            Limit::CallDepth => "the limit of nested calls",
            Limit::Budget => "the time limit",
        }
    }
}

/// Undefined behaviour, seen by a guard of the front end or by the interpreter's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UbKind {
    /// A guard failed.
    Guard(Ub),
    /// An access outside every object, or over the end of one.
    OutOfBounds,
    /// An access at or near address 0.
    NullDereference,
    /// An access to a heap object after `free`.
    UseAfterFree,
    /// An access to an automatic object outside its lifetime.
    UseAfterScope,
    /// A second `free` of an object.
    DoubleFree,
    /// `free` of something that is not the start of a heap object.
    InvalidFree,
    /// A write to a string literal.
    ReadOnly,
    /// The value of an uninitialised variable decides what happens.
    UninitVariable(String),
    /// The value of uninitialised memory decides what happens.
    UninitMemory,
    /// An argument of a printing function is missing or has the wrong type.
    BadArgument(String),
}

impl UbKind {
    /// A phrase for messages.
    pub fn describe(&self) -> String {
        match self {
            UbKind::Guard(ub) => ub.describe().to_owned(),
            UbKind::OutOfBounds => Ub::OutOfBounds.describe().to_owned(),
            UbKind::NullDereference => Ub::NullDereference.describe().to_owned(),
            UbKind::UseAfterFree => "use of memory after free".to_owned(),
            UbKind::UseAfterScope => "use of an object outside its lifetime".to_owned(),
            UbKind::DoubleFree => "double free".to_owned(),
            UbKind::InvalidFree => "free of an address that no allocation returned".to_owned(),
            UbKind::ReadOnly => "write to a string literal".to_owned(),
            UbKind::UninitVariable(name) => format!("use of the uninitialised variable '{name}'"),
            UbKind::UninitMemory => "use of uninitialised memory".to_owned(),
            UbKind::BadArgument(what) => what.clone(),
        }
    }
}

/// Why a step cannot be made; the machine adds the place.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    Undefined(UbKind),
    Unsupported(String),
    Limit(Limit),
    Input(String),
    Internal(String),
}

impl Stop {
    pub(super) fn at(self, span: Span) -> Outcome {
        match self {
            Stop::Undefined(ub) => Outcome::Undefined { ub, span },
            Stop::Unsupported(sentence) => Outcome::Unsupported { sentence, span },
            Stop::Limit(limit) => Outcome::LimitReached(limit),
            Stop::Input(sentence) => Outcome::BadInput { sentence, span },
            Stop::Internal(sentence) => Outcome::InternalError { sentence, span },
        }
    }

    /// The Boolean, integer or float that a term's sort promises is not there.
    pub(super) fn ill_sorted() -> Stop {
        Stop::Internal("a term has operands of the wrong sort".to_owned())
    }
}
