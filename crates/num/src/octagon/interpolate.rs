//! `InterpolateOct` (Gulavani, Chakraborty, Nori, Rajamani, *Automatically Refining Abstract Interpretations*, TACAS 2008, Section 4).

use std::collections::BTreeSet;

use super::blocks::Octagon;
use super::cons::{Lit, OctCons};
use crate::int::Int;
use crate::linear::{Dim, LinCons};

/// Every negated bound of `b` that `a` entails, over the octagonal expressions that a block of `a` or of `b` bounds; each one
/// is an interpolant. `None` if there is none: the contradiction may need bounds of both elements alternately.
///
/// Other pairs of dimensions are bounded by their unary bounds in both elements, so they separate only where a single dimension does.
pub(super) fn separating(a: &Octagon, b: &Octagon) -> Option<Vec<LinCons>> {
    let mut pairs: BTreeSet<(Dim, Dim)> = BTreeSet::new();
    for block in a.blocks().iter().chain(b.blocks()) {
        let common: Vec<Dim> = block.dims.iter().copied().filter(|d| a.find(*d).is_some() && b.find(*d).is_some()).collect();
        for (i, x) in common.iter().enumerate() {
            pairs.extend(common[i..].iter().map(|y| (*x, *y)));
        }
    }
    let mut out = Vec::new();
    for (x, y) in pairs {
        for u in Lit::both(x) {
            for v in Lit::both(y).into_iter().filter(|v| x != y || *v == u) {
                // b: -u - v ≤ c, that is u + v ≥ -c; negated: u + v ≤ -c - 1.
                let Some(c) = b.sum(u.negated(), v.negated()) else { continue };
                let negated = OctCons { u, v, c: -c - Int::ONE };
                if a.sum(u, v).is_some_and(|m| m <= negated.c) {
                    out.push(negated.to_cons());
                }
            }
        }
    }
    out.sort();
    out.dedup();
    (!out.is_empty()).then_some(out)
}
