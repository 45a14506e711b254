//! The size of a formula as a reader sees it.

use crate::formula::Formula;
use crate::linear::Linear;
use plumb_num::Int;
use std::collections::BTreeSet;

/// How large a formula is; compared in the order of the fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Measure {
    /// Distinct atoms; `t ≤ 0` and `-t ≤ 0` count as one equality.
    pub atoms: usize,
    /// Variables in the distinct atoms.
    pub variables: usize,
    /// Bits of coefficients and constants in the distinct atoms.
    pub bits: usize,
}

fn bits(a: &Int) -> usize {
    a.to_i128().map_or(128, |v| 128 - v.unsigned_abs().leading_zeros() as usize)
}

impl Measure {
    /// The size of `formula`. Shared parts are visited once.
    pub fn of(formula: &Formula) -> Measure {
        let mut seen_lists: BTreeSet<*const Formula> = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut measure = Measure::default();
        let mut stack = vec![formula];
        while let Some(f) = stack.pop() {
            let (key, terms) = match f {
                Formula::Constant(_) => continue,
                Formula::And(children) | Formula::Or(children) => {
                    if seen_lists.insert(children.as_ptr()) {
                        stack.extend(children.iter());
                    }
                    continue;
                }
                Formula::Boolean(var, _) => (format!("b{}", var.0), None),
                Formula::LessEq(t, _) => (both_signs(t), Some(t)),
                Formula::Divides(m, t) => (format!("{m}|{t:?}"), Some(t)),
            };
            if seen.insert(key) {
                measure.atoms += 1;
                if let Some(t) = terms {
                    measure.variables += t.terms().len();
                    measure.bits += bits(t.offset()) + t.terms().iter().map(|(_, a)| bits(a)).sum::<usize>();
                }
            }
        }
        measure
    }
}

/// A name that is the same for `t` and `-t`.
fn both_signs(t: &Linear) -> String {
    let positive = t.terms().first().is_none_or(|(_, a)| a.is_positive());
    let t = if positive { t.clone() } else { t.times(&Int::MINUS_ONE) };
    format!("{t:?}")
}
