//! Evidence of a violation.

use plumb_cfa::{InputSource, RegionId};
use plumb_term::eval::{MemValue, Value};
use plumb_term::Span;
use std::collections::BTreeMap;

/// A value that the program took from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct InputValue {
    /// Where it came from.
    pub source: InputSource,
    /// Where it was taken.
    pub span: Span,
    /// The value: an integer or a float; a memory for the contents of an automatic object.
    pub value: Value,
}

/// The inputs of an execution that reaches the error. Replaying them is enough: the machine is deterministic otherwise.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// One for each input edge that the execution crosses, in order.
    pub inputs: Vec<InputValue>,
    /// The initial contents of the regions, for memory that nothing initialises; regions not listed are zero.
    pub memory: BTreeMap<RegionId, MemValue>,
}
