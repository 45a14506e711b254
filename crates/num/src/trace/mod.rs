//! Recorded sequences of domain operations.
//!
//! A [`Trace`] is what an analysis asked of its numeric domain: a list of operations on numbered elements together with the
//! answers of the questions among them. [`Recorder`] wraps any domain and writes one; [`Trace::replay`] repeats it on
//! any domain and checks the answers; [`Trace::to_bytes`] is a compact file format. Benchmarks and differential tests
//! run on recorded traces because random polyhedra look nothing like those of programs.

mod codec;
mod recorder;
mod replay;

pub use codec::FormatError;
pub use recorder::{Recorder, Traced};
pub use replay::Mismatch;

use crate::linear::{Dim, LinCons, LinExpr};

/// An element of a trace: the number of the operation, among those that make an element, that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ElemId(pub u32);

/// An operation of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceOp {
    /// Makes the greatest element.
    Top,
    /// Makes the least element.
    Bottom,
    /// Makes the conjunction of an element and constraints (no `≠`).
    Assume(ElemId, Vec<LinCons>),
    /// Makes the image of an assignment.
    Assign(ElemId, Dim, LinExpr),
    /// Makes the preimage of an assignment.
    Preimage(ElemId, Dim, LinExpr),
    /// Makes a projection.
    Forget(ElemId, Vec<Dim>),
    /// Makes a renaming.
    Rename(ElemId, Vec<(Dim, Dim)>),
    /// Makes the join.
    Join(ElemId, ElemId),
    /// Makes the meet.
    Meet(ElemId, ElemId),
    /// Makes the widening of the first by the second.
    Widen(ElemId, ElemId),
    /// Asks for inclusion.
    Leq(ElemId, ElemId, bool),
    /// Asks for emptiness.
    IsBottom(ElemId, bool),
    /// Asks for entailment.
    Entails(ElemId, LinCons, bool),
    /// Asks for the bounds of an expression.
    Bounds(ElemId, LinExpr),
}

impl TraceOp {
    /// The elements the operation reads.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::trace::{ElemId, TraceOp};
    /// assert_eq!(TraceOp::Join(ElemId(3), ElemId(1)).operands(), [ElemId(3), ElemId(1)]);
    /// ```
    pub fn operands(&self) -> Vec<ElemId> {
        match self {
            TraceOp::Top | TraceOp::Bottom => vec![],
            TraceOp::Assume(a, _)
            | TraceOp::Assign(a, ..)
            | TraceOp::Preimage(a, ..)
            | TraceOp::Forget(a, _)
            | TraceOp::Rename(a, _)
            | TraceOp::IsBottom(a, _)
            | TraceOp::Entails(a, ..)
            | TraceOp::Bounds(a, _) => vec![*a],
            TraceOp::Join(a, b) | TraceOp::Meet(a, b) | TraceOp::Widen(a, b) | TraceOp::Leq(a, b, _) => vec![*a, *b],
        }
    }

    /// Whether the operation makes an element.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::trace::{ElemId, TraceOp};
    /// assert!(TraceOp::Top.makes_element() && !TraceOp::IsBottom(ElemId(0), false).makes_element());
    /// ```
    pub fn makes_element(&self) -> bool {
        !matches!(self, TraceOp::Leq(..) | TraceOp::IsBottom(..) | TraceOp::Entails(..) | TraceOp::Bounds(..))
    }
}

/// A sequence of operations. Operands precede their uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// The operations in order.
    pub ops: Vec<TraceOp>,
}

impl Trace {
    /// One more than the largest dimension mentioned.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::trace::{ElemId, Trace, TraceOp};
    /// use plumb_num::Dim;
    /// assert_eq!(Trace { ops: vec![TraceOp::Top, TraceOp::Forget(ElemId(0), vec![Dim(4)])] }.dims(), 5);
    /// ```
    pub fn dims(&self) -> u32 {
        let of_expr = |e: &LinExpr| e.dims().map(|d| d.0 + 1).max().unwrap_or(0);
        let of_op = |op: &TraceOp| match op {
            TraceOp::Assume(_, cs) => cs.iter().map(|c| of_expr(c.expr())).max().unwrap_or(0),
            TraceOp::Assign(_, x, e) | TraceOp::Preimage(_, x, e) => of_expr(e).max(x.0 + 1),
            TraceOp::Forget(_, ds) => ds.iter().map(|d| d.0 + 1).max().unwrap_or(0),
            TraceOp::Rename(_, map) => map.iter().map(|m| m.0 .0.max(m.1 .0) + 1).max().unwrap_or(0),
            TraceOp::Entails(_, c, _) => of_expr(c.expr()),
            TraceOp::Bounds(_, e) => of_expr(e),
            _ => 0,
        };
        self.ops.iter().map(of_op).max().unwrap_or(0)
    }

    /// For each operation the elements that no later operation reads: a replayer drops them after it.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::trace::{ElemId, Trace, TraceOp};
    /// let ops = vec![TraceOp::Top, TraceOp::Bottom, TraceOp::Join(ElemId(0), ElemId(1)), TraceOp::IsBottom(ElemId(0), false)];
    /// assert_eq!(Trace { ops }.last_uses(), [vec![], vec![], vec![ElemId(1), ElemId(2)], vec![ElemId(0)]]);
    /// ```
    pub fn last_uses(&self) -> Vec<Vec<ElemId>> {
        let mut last: Vec<usize> = Vec::new();
        for (i, op) in self.ops.iter().enumerate() {
            for id in op.operands() {
                last[id.0 as usize] = i;
            }
            if op.makes_element() {
                last.push(i);
            }
        }
        let mut out = vec![Vec::new(); self.ops.len()];
        for (id, at) in last.into_iter().enumerate() {
            out[at].push(ElemId(id as u32));
        }
        out
    }
}
