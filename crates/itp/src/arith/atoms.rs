//! Linear atoms as bounds of columns.
//!
//! An atom `g·f + c ≤ 0`, where `f` is a primitive form whose first coefficient is positive, says `f ≤ -c/g` or `f ≥ -c/g`
//! by the sign of `g`. Atoms that differ in `g` and `c` only share the column of `f`; a form with one variable is
//! the column of the variable. Either way one literal of the atom is an upper bound and the other a lower bound just above it.

use super::num::Num;
use super::tableau::Col;
use super::value::Value;
use crate::linear::{Linear, NumVar};
use crate::lit::{BoolVar, Lit};
use plumb_num::Int;

/// A linear atom.
#[derive(Clone, Debug)]
pub(crate) struct Threshold {
    /// The column it bounds.
    pub(crate) col: Col,
    /// The literal that says `f ≤ at_most`; its negation says `f ≥ at_least`.
    pub(crate) le: Lit,
    pub(crate) at_most: Value,
    pub(crate) at_least: Value,
    /// The constraint of either literal is this positive multiple of the constraint on `f`.
    pub(crate) scale: Int,
}

/// The atom `t ≤ 0` named `var` as the form it bounds and a threshold, whose column is to be filled in.
pub(crate) fn read(var: BoolVar, t: &Linear, integer: bool) -> (Vec<(NumVar, Int)>, Threshold) {
    let g = t.terms().iter().fold(Int::ZERO, |g, (_, a)| if g.is_one() { g } else { g.gcd(a) });
    let upwards = t.terms().first().is_some_and(|(_, a)| a.is_negative());
    let divisor = if upwards { -&g } else { g.clone() };
    let form = t.terms().iter().map(|(x, a)| (*x, if divisor.is_one() { a.clone() } else { a.div_exact(&divisor) })).collect();
    let asserted = Num::ratio(&-t.offset(), &divisor);
    let denied = if integer {
        Value::from(Num::ratio(&(&Int::ONE - t.offset()), &divisor))
    } else {
        Value::new(asserted.clone(), if upwards { -&Num::ONE } else { Num::ONE })
    };
    let (le, at_most, at_least) =
        if upwards { (var.negative(), denied, Value::from(asserted)) } else { (var.positive(), Value::from(asserted), denied) };
    (form, Threshold { col: Col(u32::MAX), le, at_most, at_least, scale: g })
}
