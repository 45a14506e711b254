//! Interpolation of disjoint elements.
//!
//! For disjoint `a` and `b` an interpolant is a set of constraints over their common dimensions that `a` entails and whose
//! conjunction misses `b`. Source: Gulavani, Chakraborty, Nori, Rajamani, *Automatically Refining Abstract
//! Interpretations*, TACAS 2008, Section 4; [`farkas`] is the classical certificate (McMillan's interpolation of linear
//! inequalities), which the paper leaves to future work.

use std::collections::BTreeSet;

use crate::domain::NumDomain;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr};
use crate::simplex::{self, Feasibility};

/// `InterpolatePoly1`: every negated constraint of `b` that `a` entails. Each one is an interpolant by itself. `None` if
/// there is no such constraint.
///
/// Such a constraint mentions common dimensions only: a non-empty `a` that leaves a dimension of `c` free cannot entail `¬c`.
///
/// # Examples
///
/// ```
/// use plumb_num::{interpolate, Dim, LinCons, LinExpr, NumDomain, Polyhedra};
/// let (d, v) = (Polyhedra::default(), |i| LinExpr::var(Dim(i)));
/// let a = d.of_constraints(&[LinCons::ge(v(0), v(1)), LinCons::ge(v(1), 3.into())]);
/// let b = d.of_constraints(&[LinCons::le(v(0), 1.into()), LinCons::ge(v(2), v(0))]);
/// // The negation of x0 ≤ 1, which x0 ≥ 3 entails.
/// assert_eq!(interpolate::poly1(&d, &a, &b), Some(vec![LinCons::ge(v(0), 2.into())]));
/// ```
pub fn poly1<D: NumDomain>(domain: &D, a: &D::Elem, b: &D::Elem) -> Option<Vec<LinCons>> {
    let mut out = Vec::new();
    // A domain over the rationals knows that `b` has no integer point as the constraint `never`: nothing to negate.
    for c in domain.constraints(b).iter().filter(|c| !c.is_never()) {
        for negated in c.inequalities().iter().map(LinCons::negated) {
            // Entailment may hold for the integer points alone; a bound for widening has to hold in the order.
            if domain.entails(a, &negated) && domain.leq(a, &domain.assume(a, &negated)) {
                out.push(negated);
            }
        }
    }
    out.sort();
    out.dedup();
    (!out.is_empty()).then_some(out)
}

/// `InterpolatePoly2`: the constraints of the projection of `a` on the common dimensions. `None` if the result is not
/// disjoint from `b`, which happens only if `a` and `b` are not, or if the domain's projection loses too much.
///
/// # Examples
///
/// ```
/// use plumb_num::{interpolate, Dim, LinCons, LinExpr, NumDomain, Polyhedra};
/// let (d, v) = (Polyhedra::default(), |i| LinExpr::var(Dim(i)));
/// let a = d.of_constraints(&[LinCons::ge(v(0), v(1)), LinCons::ge(v(1), 3.into())]);
/// let b = d.of_constraints(&[LinCons::le(v(0), v(2)), LinCons::le(v(2), 1.into())]);
/// // No constraint of b is wrong on all of a; the projection of a on x0 separates.
/// assert_eq!(interpolate::poly2(&d, &a, &b), Some(vec![LinCons::ge(v(0), 3.into())]));
/// ```
pub fn poly2<D: NumDomain>(domain: &D, a: &D::Elem, b: &D::Elem) -> Option<Vec<LinCons>> {
    let in_b: BTreeSet<Dim> = domain.support(b).into_iter().collect();
    let common: Vec<Dim> = domain.support(a).into_iter().filter(|d| in_b.contains(d)).collect();
    let projected = domain.project(a, &common);
    domain.is_bottom(&domain.meet(&projected, b)).then(|| domain.constraints(&projected))
}

/// One inequality that separates the rational solutions of `a` and `b`, from a Farkas certificate: the part of the
/// contradictory sum that comes from `a`. `None` if the two have a common rational solution.
///
/// ```
/// use plumb_num::{interpolate, Dim, LinCons, LinExpr};
/// let v = |i| LinExpr::var(Dim(i));
/// let a = [LinCons::ge(v(0), v(1)), LinCons::ge(v(1), 3.into())];
/// let b = [LinCons::le(v(0), v(2)), LinCons::le(v(2), 1.into())];
/// let i = interpolate::farkas(&a, &b).unwrap();
/// assert_eq!(i, LinCons::ge(v(0), 3.into()));
/// ```
pub fn farkas(a: &[LinCons], b: &[LinCons]) -> Option<LinCons> {
    let all: Vec<LinCons> = a.iter().chain(b).filter(|c| c.kind() != ConsKind::Ne).cloned().collect();
    let from_a = a.iter().filter(|c| c.kind() != ConsKind::Ne).count();
    let Feasibility::Infeasible(multipliers) = simplex::solve(&all) else { return None };
    let sum = all[..from_a]
        .iter()
        .zip(&multipliers)
        .fold(LinExpr::default(), |sum, (c, m)| if m.is_zero() { sum } else { sum.plus_scaled(c.expr(), m) });
    // The part of `a` may be a constant: then it is `never` (a alone is contradictory) or `always` (b alone is).
    Some(LinCons::new(sum, ConsKind::Ge))
}

/// Whether `interpolant` is one for the constraint sets `a` and `b`, decided over the rationals and independently of how
/// it was made.
///
/// # Examples
///
/// ```
/// use plumb_num::{interpolate, Dim, LinCons, LinExpr};
/// let v = |i| LinExpr::var(Dim(i));
/// let a = [LinCons::ge(v(0), v(1)), LinCons::ge(v(1), 3.into())];
/// let b = [LinCons::le(v(0), 1.into())];
/// let is = |k: i64| interpolate::is_interpolant(&a, &b, &[LinCons::ge(v(0), k.into())]);
/// assert!(is(2) && is(3) && !is(1) && !is(4));
/// ```
pub fn is_interpolant(a: &[LinCons], b: &[LinCons], interpolant: &[LinCons]) -> bool {
    let dims = |cs: &[LinCons]| cs.iter().flat_map(|c| c.expr().dims().collect::<Vec<_>>()).collect::<BTreeSet<Dim>>();
    let common: BTreeSet<Dim> = dims(a).intersection(&dims(b)).copied().collect();
    let infeasible = |cs: Vec<LinCons>| matches!(simplex::solve(&cs), Feasibility::Infeasible(_));
    let entailed = interpolant.iter().all(|i| i.negated_cases().into_iter().all(|n| infeasible(a.iter().cloned().chain([n]).collect())));
    dims(interpolant).is_subset(&common) && entailed && infeasible(b.iter().chain(interpolant).cloned().collect())
}
