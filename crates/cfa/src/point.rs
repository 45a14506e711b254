//! Program points with their calling context.
//!
//! A function that is not recursive has at most one activation at a time, so its variables need no copies per call: a state at a
//! point is a valuation of the program's variables, whatever the context. A [`Point`] tells apart the visits of one
//! location from different call sites, as if every call were inlined.

use crate::graph::{EdgeId, Loc};
use crate::program::FuncId;

/// A call edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallSite {
    /// The calling function.
    pub func: FuncId,
    /// The edge with the call.
    pub edge: EdgeId,
}

/// A location under a stack of calls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The pending calls, outermost first.
    pub stack: Vec<CallSite>,
    /// The function on top.
    pub func: FuncId,
    /// The location in it.
    pub loc: Loc,
}
