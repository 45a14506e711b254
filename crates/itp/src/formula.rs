//! The language of interpolants.

use crate::linear::Linear;
use crate::lit::BoolVar;
use plumb_num::Int;
use std::rc::Rc;

/// A formula over the variables of a proof, shared where it repeats.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// A truth value.
    Constant(bool),
    /// A plain Boolean variable, or its negation if the flag is false.
    Boolean(BoolVar, bool),
    /// `linear ≤ 0`, or `linear < 0` if the flag is true (over rationals only).
    LessEq(Linear, bool),
    /// `modulus` divides `linear`; over integers only, `modulus ≥ 2`.
    Divides(Int, Linear),
    /// A conjunction.
    And(Rc<[Formula]>),
    /// A disjunction.
    Or(Rc<[Formula]>),
}
