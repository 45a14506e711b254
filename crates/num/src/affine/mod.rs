//! Affine equalities: conjunctions of linear equations (Karr, *Affine relationships among variables of a program*, Acta Informatica 1976).
//!
//! An element is the set of integer solutions of a system in reduced echelon form, and bottom if there is none. A rational affine space with one
//! integer point is the affine hull of its integer points, so the order, join and all images are exact or least over the integers as well. Chains are as
//! short as there are dimensions: widening is join.

mod echelon;

use crate::domain::{fresh, NumDomain};

use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};
use echelon::Echelon;

/// The domain of affine equalities.
///
/// ```
/// use plumb_num::{AffineEqualities, Dim, Interval, Lattice, LinCons, LinExpr, NumDomain};
/// let d = AffineEqualities;
/// let v = |i| LinExpr::var(Dim(i));
/// // (0, 0) and (2, 6) lie on x1 = 3·x0.
/// let a = d.of_constraints(&[LinCons::eq(v(0), 0.into()), LinCons::eq(v(1), 0.into())]);
/// let b = d.of_constraints(&[LinCons::eq(v(0), 2.into()), LinCons::eq(v(1), 6.into())]);
/// let j = d.join(&a, &b);
/// assert_eq!(d.constraints(&j), [LinCons::eq(v(1), v(0).scaled(&3.into()))]);
/// // x0 := x0 + 1; x1 := x1 + 3 keeps the relation.
/// let next = d.assign(&d.assign(&j, Dim(0), &(v(0) + 1.into())), Dim(1), &(v(1) + 3.into()));
/// assert_eq!(next, j);
/// assert_eq!(d.bounds(&d.assume(&j, &LinCons::eq(v(0), 5.into())), &v(1)), Interval::new(15, 15));
/// // Integer contradictions are found: 3·x0 = x1 and x1 = 2·x2 and 3·x0 = 2·x2 + 1.
/// let odd = d.assume(&d.assume(&j, &LinCons::eq(v(1), v(2).scaled(&2.into()))), &LinCons::eq(v(1), v(3).scaled(&2.into()) + 1.into()));
/// assert!(d.is_bottom(&odd));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AffineEqualities;

/// The integer solutions of a system of equations.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Affine {
    /// `None` is bottom; otherwise there is an integer solution.
    system: Option<Echelon>,
}

impl Affine {
    fn of(system: Option<Echelon>) -> Affine {
        Affine { system: system.filter(|s| s.integer_solution().is_some()) }
    }

    fn rows(&self) -> &[LinExpr] {
        self.system.as_ref().map_or(&[], Echelon::rows)
    }
}

impl std::fmt::Debug for Affine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.system {
            None => write!(f, "bottom"),
            Some(_) => f.debug_set().entries(AffineEqualities.constraints(self)).finish(),
        }
    }
}

impl Lattice for AffineEqualities {
    type Elem = Affine;

    fn bottom(&self) -> Affine {
        Affine { system: None }
    }

    fn top(&self) -> Affine {
        Affine { system: Some(Echelon::default()) }
    }

    fn is_bottom(&self, a: &Affine) -> bool {
        a.system.is_none()
    }

    fn leq(&self, a: &Affine, b: &Affine) -> bool {
        match (&a.system, &b.system) {
            (None, _) => true,
            (_, None) => false,
            (Some(a), Some(b)) => b.rows().iter().all(|r| a.reduce(r).0 == LinExpr::default()),
        }
    }

    fn join(&self, a: &Affine, b: &Affine) -> Affine {
        match (&a.system, &b.system) {
            (None, _) => b.clone(),
            (_, None) => a.clone(),
            (Some(x), Some(y)) => Affine { system: x.common(y) },
        }
    }

    fn meet(&self, a: &Affine, b: &Affine) -> Affine {
        match (&a.system, &b.system) {
            (Some(x), Some(y)) => Affine::of(Echelon::of(x.rows().iter().chain(y.rows()).cloned())),
            _ => self.bottom(),
        }
    }

    fn widen(&self, old: &Affine, new: &Affine) -> Affine {
        self.join(old, new)
    }
}

impl NumDomain for AffineEqualities {
    /// Exact for equations. An inequality or `≠` only tells whether a constant satisfies it.
    fn assume(&self, e: &Affine, c: &LinCons) -> Affine {
        let Some(system) = &e.system else { return self.bottom() };
        match (c.kind(), system.reduce(c.expr()).0.as_constant()) {
            (ConsKind::Ge, Some(k)) if k.is_negative() => self.bottom(),
            (ConsKind::Ne, Some(k)) if k.is_zero() => self.bottom(),
            (ConsKind::Eq, _) => {
                let mut system = system.clone();
                let consistent = system.insert(c.expr()).is_some();
                Affine::of(consistent.then_some(system))
            }
            _ => e.clone(),
        }
    }

    fn assign(&self, e: &Affine, x: Dim, expr: &LinExpr) -> Affine {
        if self.is_bottom(e) {
            return self.bottom();
        }
        if expr.coeff(x).is_zero() {
            return self.assume(&self.forget(e, &[x]), &LinCons::eq(LinExpr::var(x), expr.clone()));
        }
        let t = fresh(self, e, [expr], [x]);
        let e = self.assume(e, &LinCons::eq(LinExpr::var(t), expr.clone()));
        self.rename(&self.forget(&e, &[x]), &[(t, x)])
    }

    fn forget(&self, e: &Affine, dims: &[Dim]) -> Affine {
        Affine { system: e.system.as_ref().and_then(|s| s.without(dims)) }
    }

    fn rename(&self, e: &Affine, map: &[(Dim, Dim)]) -> Affine {
        let to = |d: Dim| map.iter().find(|(from, _)| *from == d).map_or(d, |m| m.1);
        Affine { system: e.system.as_ref().and_then(|s| Echelon::of(s.rows().iter().map(|r| r.rename(to)))) }
    }

    /// A point if the expression is constant on the element, no bound otherwise.
    fn bounds(&self, e: &Affine, expr: &LinExpr) -> Interval {
        let Some(system) = &e.system else { return Interval::empty() };
        let (reduced, scale) = system.reduce(expr);
        match reduced.as_constant() {
            Some(k) => Interval { lo: Some(k.div_ceil(&scale)), hi: Some(k.div_floor(&scale)) },
            None => Interval::FULL,
        }
    }

    fn constraints(&self, e: &Affine) -> Vec<LinCons> {
        if self.is_bottom(e) {
            return vec![LinCons::never()];
        }
        e.rows().iter().map(|r| LinCons::new(r.clone(), ConsKind::Eq)).collect()
    }

    fn sample(&self, e: &Affine) -> Option<Point> {
        e.system.as_ref()?.integer_solution()
    }

    /// The difference of two affine spaces is never a finite union of such: a join is exact only if one includes the other.
    fn join_is_exact(&self, a: &Affine, b: &Affine) -> bool {
        self.leq(a, b) || self.leq(b, a)
    }

    /// Two parallel hyperplanes are separated by the equation of the first; contradictions over the integers only have no
    /// linear interpolant of this kind.
    fn interpolate(&self, a: &Affine, b: &Affine) -> Option<Vec<LinCons>> {
        if self.is_bottom(a) {
            return Some(vec![LinCons::never()]);
        }
        if self.is_bottom(b) {
            return Some(Vec::new());
        }
        crate::interpolate::poly2(self, a, b)
    }

    fn entails(&self, e: &Affine, c: &LinCons) -> bool {
        let Some(system) = &e.system else { return true };
        match (c.kind(), system.reduce(c.expr()).0.as_constant()) {
            (ConsKind::Eq, Some(k)) => k.is_zero(),
            (ConsKind::Ge, Some(k)) => !k.is_negative(),
            (ConsKind::Ne, Some(k)) => !k.is_zero(),
            (ConsKind::Ne, None) => self.is_bottom(&self.assume(e, &c.negated())),
            (_, None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::laws!(laws, AffineEqualities, crate::laws::Claims { adjoint: crate::laws::Adjoint::Signed, linear: true });

    #[test]
    fn integer_solutions_need_a_change_of_variables() {
        let v = |i| LinExpr::var(Dim(i));
        // 6a + 10b + 15c = 1 has solutions, though no coefficient is a unit.
        let e = AffineEqualities.of_constraints(&[LinCons::eq(LinExpr::new([(Dim(0), 6), (Dim(1), 10), (Dim(2), 15)], -1), 0.into())]);
        let p = AffineEqualities.sample(&e).unwrap();
        assert!(AffineEqualities.constraints(&e).iter().all(|c| c.holds(&p)));
        // 2y = w and 2z + w = 1 together say that an even number is odd.
        let cs = [LinCons::eq(v(0).scaled(&2.into()), v(2)), LinCons::eq(v(1).scaled(&2.into()) + v(2), 1.into())];
        assert!(AffineEqualities.is_bottom(&AffineEqualities.of_constraints(&cs)));
    }
}
