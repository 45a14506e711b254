//! `Interpolate` (Section 4): constraints that keep states and an error preimage apart.
//!
//! The paper has `InterpolateOct` for octagons, and `InterpolatePoly1`, then `InterpolatePoly2` for polyhedra. The second of these returns the projection of the states, which says
//! more than why they are no error: on Figure 1 it is one of the dotted boundaries, and the next one, for ever. So before it, the idea of `InterpolateOct` is
//! tried on polyhedra as well: an expression `±x ± y` whose bounds in both elements exclude each other is a short reason, as `x ≤ y` is there. Both
//! bounds are taken: that of the error negated, and that of the states.

use super::Interpolation;
use plumb_num::{interpolate, Dim, LinCons, LinExpr, NumDomain};
use std::collections::BTreeSet;

/// With more common dimensions, pairs of them are not tried.
const MAX_DIMS: usize = 20;

/// An interpolant of two disjoint elements, if one is found.
pub fn interpolant<D: NumDomain>(domain: &D, how: Interpolation, a: &D::Elem, b: &D::Elem) -> Option<Vec<LinCons>> {
    match how {
        Interpolation::Paper => interpolate::poly1(domain, a, b).or_else(|| octagonal(domain, a, b)).or_else(|| domain.interpolate(a, b)),
        Interpolation::Farkas => interpolate::farkas(&domain.constraints(a), &domain.constraints(b)).map(|c| vec![c]),
    }
}

/// `InterpolateOct` on the bounds of octagonal expressions over the common dimensions.
fn octagonal<D: NumDomain>(domain: &D, a: &D::Elem, b: &D::Elem) -> Option<Vec<LinCons>> {
    let in_b: BTreeSet<Dim> = domain.support(b).into_iter().collect();
    let common: Vec<Dim> = domain.support(a).into_iter().filter(|d| in_b.contains(d)).collect();
    if common.len() > MAX_DIMS {
        return None;
    }
    let mut out = Vec::new();
    for (i, x) in common.iter().enumerate() {
        let x = LinExpr::var(*x);
        let pairs = common[i + 1..].iter().flat_map(|y| [x.clone() - LinExpr::var(*y), x.clone() + LinExpr::var(*y)]);
        for e in std::iter::once(x.clone()).chain(pairs) {
            let (in_a, in_b) = (domain.bounds(a, &e), domain.bounds(b, &e));
            if let (Some(h), Some(l)) = (&in_a.hi, &in_b.lo) {
                if h < l {
                    out.push(LinCons::lt(e.clone(), LinExpr::constant(l.clone())));
                    out.push(LinCons::le(e.clone(), LinExpr::constant(h.clone())));
                }
            }
            if let (Some(l), Some(h)) = (&in_a.lo, &in_b.hi) {
                if l > h {
                    out.push(LinCons::gt(e.clone(), LinExpr::constant(h.clone())));
                    out.push(LinCons::ge(e.clone(), LinExpr::constant(l.clone())));
                }
            }
        }
    }
    // A bound may hold for the integer points alone; one for widening has to hold in the order.
    out.retain(|c| domain.leq(a, &domain.assume(a, c)));
    out.sort();
    out.dedup();
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_num::{Lattice, Polyhedra};

    #[test]
    fn figure_1_has_a_short_reason() {
        let d = Polyhedra::default();
        let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
        // A dotted boundary of Fig. 1, and the error.
        let a = d.of_constraints(&[
            LinCons::le(x.scaled(&1609.into()), y.scaled(&25.into())),
            LinCons::le(y.clone(), x.scaled(&100.into())),
            LinCons::le(x.scaled(&401.into()), y.scaled(&5.into()) + 396.into()),
        ]);
        let b = d.of_constraints(&[LinCons::ge(x.clone(), 4.into()), LinCons::le(y.clone(), 2.into())]);
        assert!(d.is_bottom(&d.meet(&a, &b)) && interpolate::poly1(&d, &a, &b).is_none());
        let i = interpolant(&d, Interpolation::Paper, &a, &b).unwrap();
        assert!(i.contains(&LinCons::le(x.clone(), y.clone())), "{i:?}");
        for c in &i {
            assert!(d.leq(&a, &d.assume(&a, c)) && d.is_bottom(&d.assume(&b, c)), "{c}");
        }
        let f = interpolant(&d, Interpolation::Farkas, &a, &b).unwrap();
        assert!(f.len() == 1 && d.entails(&a, &f[0]) && d.is_bottom(&d.assume(&b, &f[0])));
    }
}
