//! Exact bounds of a linear expression over an octagon.
//!
//! Write the expression as `Σ mᵢ·uᵢ + k` with literals `uᵢ` and multiplicities `mᵢ > 0`. Its least upper bound over the rationals is the cheapest way to cover
//! every `uᵢ` exactly `mᵢ` times by bounds `uᵢ + uⱼ ≤ cᵢⱼ`. Doubling makes it a transportation problem: `mᵢ` units leave each `uᵢ` on the left
//! and arrive at each `uᵢ` on the right; half the optimum is the bound.

use super::blocks::Octagon;
use super::cons::Lit;
use crate::dbm::transport;
use crate::int::Int;
use crate::linear::LinExpr;

/// The least upper bound of the expression, rounded down; `None` for none. The element is not bottom.
pub(crate) fn upper(e: &Octagon, expr: &LinExpr) -> Option<Int> {
    let lits: Vec<(Lit, Int)> = expr.terms().iter().map(|(d, c)| (Lit::new(*d, c.is_negative()), c.abs())).collect();
    let k = expr.constant_part();
    match &lits[..] {
        [] => Some(k.clone()),
        [(u, m)] => Some(&(e.upper(*u)? * m) + k),
        [(u, m), (v, n)] if m == n => Some(&(e.sum(*u, *v)? * m) + k),
        _ => Some(&covering(e, &lits).or_else(|| unary(e, &lits))? + k),
    }
}

fn unary(e: &Octagon, lits: &[(Lit, Int)]) -> Option<Int> {
    lits.iter().try_fold(Int::ZERO, |sum, (u, m)| Some(sum + e.upper(*u)? * m))
}

fn covering(e: &Octagon, lits: &[(Lit, Int)]) -> Option<Int> {
    let cost: Vec<Vec<Option<Int>>> = lits.iter().map(|(u, _)| lits.iter().map(|(v, _)| e.sum(*u, *v)).collect()).collect();
    let units: Vec<Int> = lits.iter().map(|l| l.1.clone()).collect();
    Some(transport::cheapest(&cost, units.clone(), units)?.div_floor(&Int::new(2)))
}
