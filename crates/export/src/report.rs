//! The report: everything the user is told about one answer, as data.
//!
//! The terminal text ([`crate::explain`]) and the JSON output are two renderings of it, so they never disagree. Field names are part
//! of the tool's interface and documented in `docs/json.md`; new fields may be added, none is renamed or removed within a major version.

mod build;
mod summarise;

pub(crate) use build::position;
pub use build::{proved, refuted, unknown};

use serde::{Deserialize, Serialize};

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The property holds.
    True,
    /// It can be violated.
    False,
    /// Not decided.
    Unknown,
}

/// A position in the user's source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The file's name.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
    /// The function around it, where there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub function: Option<String>,
}

/// What holds whenever a loop's head is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    /// The keyword `for`, `while` or `do`, or the label of a loop made by `goto`.
    pub position: Position,
    /// The source line there.
    pub source: String,
    /// Whether the position is a keyword of a loop, as witnesses require of a loop invariant.
    pub at_loop: bool,
    /// C expressions that hold together; empty if nothing could be said in C.
    pub expressions: Vec<String>,
    /// The same with those that are too long to read, for witnesses.
    #[serde(skip)]
    pub complete: Vec<String>,
    /// What holds for all indices, as sentences: `for all k: …` with a C expression.
    #[serde(default)]
    pub for_all: Vec<String>,
}

/// What a function requires of its callers and ensures for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contract {
    /// The function's name in its definition.
    pub position: Position,
    /// The function with its parameters: `f(n, m)`.
    pub function: String,
    /// C expressions that hold together at each call; empty if nothing is required, or nothing could be said in C.
    pub requires: Vec<String>,
    /// C expressions with `\result` and `\old(x)` that hold together at each return; a parameter is its value at the call.
    pub ensures: Vec<String>,
    /// Whether a part of it has no C expression.
    pub partial: bool,
}

/// A variable, element or member and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assigned {
    /// A C expression.
    pub name: String,
    /// The value, as C writes it.
    pub value: String,
}

/// One line of an error path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStep {
    /// Where.
    pub position: Position,
    /// The source line.
    pub source: String,
    /// How many calls deep, from 0.
    pub depth: usize,
    /// What was assigned there.
    pub assigned: Vec<Assigned>,
    /// The conditions of the branches taken there, as C expressions that were true.
    pub conditions: Vec<String>,
    /// How many steps were left out before this one, because they repeat an iteration shown.
    #[serde(default)]
    pub omitted: usize,
}

/// A value that the program took from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputStep {
    /// Where.
    pub position: Position,
    /// `nondet`, `uninitialised`, `extern`, `asm` or `memory`.
    pub kind: String,
    /// The function or variable it comes from.
    pub name: String,
    /// The value, as C writes it.
    pub value: String,
}

/// A function without a body that is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// Its name.
    pub name: String,
    /// The first call.
    pub position: Position,
}

/// The value of a figure: a number of things, a time in seconds, or a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Figure {
    /// How many.
    Count(u64),
    /// How many seconds.
    Seconds(f64),
    /// Which.
    Text(String),
}

impl From<plumb_verdict::Figure> for Figure {
    fn from(f: plumb_verdict::Figure) -> Figure {
        match f {
            plumb_verdict::Figure::Count(n) => Figure::Count(n),
            // Milliseconds are what a measurement is worth.
            plumb_verdict::Figure::Seconds(s) => Figure::Seconds((s * 1000.0).round() / 1000.0),
            plumb_verdict::Figure::Text(t) => Figure::Text(t),
        }
    }
}

/// An answer with its explanation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The answer.
    pub verdict: Answer,
    /// The property, as a `CHECK` line.
    pub property: String,
    /// The configuration that answered.
    pub config: String,
    /// For `true`: how the invariants prove it. For `unknown`: what stood in the way.
    pub reason: String,
    /// For `unknown`: where, if there is a place. For `false`: the violation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub position: Option<Position>,
    /// For `unknown`: what was proved nevertheless.
    pub established: Vec<String>,
    /// For `true`: at each loop, what holds there.
    pub invariants: Vec<Invariant>,
    /// For `true`: the contracts of functions that the proof relies on.
    #[serde(default)]
    pub contracts: Vec<Contract>,
    /// For `false`: the way to the error.
    pub path: Vec<PathStep>,
    /// For `false`: the inputs of the execution, in order.
    pub inputs: Vec<InputStep>,
    /// Functions whose results were taken to be anything, as they have no body.
    pub missing_bodies: Vec<Missing>,
    /// Choices of the engine and their reasons, as sentences.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Figures of the engine, in order.
    pub statistics: Vec<(String, Figure)>,
}
