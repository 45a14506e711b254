//! The reduced product of boxes with another domain.
//!
//! A pair stands for the intersection of its two sides. *Reduction* lets each tell the other what it knows: the box takes the bounds the other side
//! implies, the other side the box's constraints, until nothing changes or for a fixed number of rounds. It happens where constraints are
//! learned (guards, meets, general assignments) and never after joins and widenings, so these remain upper bounds and
//! chains converge as they do in each side alone.

use crate::affine::AffineEqualities;
use crate::boxes::{Boxes, IntBox};
use crate::congruence::Congruences;
use crate::domain::NumDomain;
use crate::int::Int;
use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{Dim, LinCons, LinExpr, Point};
use crate::octagon::Octagons;
use crate::poly::Polyhedra;
use crate::zone::Zones;

/// Rounds of reduction.
const ROUNDS: usize = 4;

/// A domain that can be reduced with a box.
pub trait WithBox: NumDomain {
    /// The box with what the element implies for its dimensions: it includes every point of both. The default reads the element's constraints.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::product::WithBox;
    /// use plumb_num::{Boxes, Congruences, Dim, Interval, Lattice, LinCons, LinExpr, NumDomain};
    /// let even = Congruences.assign(&Congruences.top(), Dim(0), &LinExpr::new([(Dim(1), 2)], 0));
    /// let sides = Boxes.of_constraints(&[LinCons::ge(Dim(0).into(), 3.into()), LinCons::le(Dim(0).into(), 7.into())]);
    /// assert_eq!(Congruences.tighten(&even, &sides).get(Dim(0)), Interval::new(4, 6));
    /// ```
    fn tighten(&self, e: &Self::Elem, b: &IntBox) -> IntBox {
        Boxes.assume_all(b, &self.constraints(e))
    }
}

impl WithBox for AffineEqualities {}
impl WithBox for Octagons {}
impl WithBox for Polyhedra {}
impl WithBox for Zones {}

impl WithBox for Congruences {
    /// Rounds the ends to numbers of the classes.
    fn tighten(&self, e: &Self::Elem, b: &IntBox) -> IntBox {
        if self.is_bottom(e) {
            return Boxes.bottom();
        }
        let mut out = Boxes.assume_all(b, &self.constraints(e));
        for x in self.support(e) {
            let side = out.get(x);
            out.set(x, e.round(x, &side));
        }
        out
    }
}

/// The reduced product of [`Boxes`] and `D`.
///
/// ```
/// use plumb_num::{BoxWith, Congruences, Dim, Interval, Lattice, LinCons, NumDomain};
/// let d = BoxWith(Congruences);
/// let x = Dim(0);
/// let (a, b) = (d.assign(&d.top(), x, &1.into()), d.assign(&d.top(), x, &9.into()));
/// // 1 mod 8 between 1 and 9; below 9 only 1 remains.
/// let e = d.assume(&d.join(&a, &b), &LinCons::lt(x.into(), 9.into()));
/// assert_eq!(d.bounds(&e, &x.into()), Interval::new(1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoxWith<D>(pub D);

/// A box and an element of another domain: the intersection of both. Bottom if one side is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Boxed<E> {
    sides: IntBox,
    other: E,
}

impl<E> Boxed<E> {
    /// The box.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{BoxWith, Dim, LinCons, LinExpr, NumDomain, Zones};
    /// let (d, x, y) = (BoxWith(Zones), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let e = d.of_constraints(&[LinCons::le(x, y.clone()), LinCons::ge(Dim(0).into(), 3.into())]);
    /// // The zone tells the box that y ≥ 3, too.
    /// assert_eq!(e.sides().get(Dim(1)).lo, Some(3.into()));
    /// ```
    pub fn sides(&self) -> &IntBox {
        &self.sides
    }

    /// The element of the other domain.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{BoxWith, Congruences, Dim, Lattice, NumDomain};
    /// let d = BoxWith(Congruences);
    /// let at = |k: i64| d.assign(&d.top(), Dim(0), &k.into());
    /// assert_eq!(d.join(&at(1), &at(7)).other().get(Dim(0)).to_string(), "1 mod 6");
    /// ```
    pub fn other(&self) -> &E {
        &self.other
    }
}

impl<D: WithBox> BoxWith<D> {
    fn pair(&self, sides: IntBox, other: D::Elem) -> Boxed<D::Elem> {
        if Boxes.is_bottom(&sides) || self.0.is_bottom(&other) {
            return self.bottom();
        }
        Boxed { sides, other }
    }

    fn reduced(&self, sides: IntBox, other: D::Elem) -> Boxed<D::Elem> {
        let mut e = self.pair(sides, other);
        for _ in 0..ROUNDS {
            let sides = self.0.tighten(&e.other, &e.sides);
            let other = self.0.assume_all(&e.other, &Boxes.constraints(&sides));
            let next = self.pair(sides, other);
            if next == e {
                break;
            }
            e = next;
        }
        e
    }
}

impl<D: WithBox> Lattice for BoxWith<D> {
    type Elem = Boxed<D::Elem>;

    fn bottom(&self) -> Self::Elem {
        Boxed { sides: Boxes.bottom(), other: self.0.bottom() }
    }

    fn top(&self) -> Self::Elem {
        Boxed { sides: Boxes.top(), other: self.0.top() }
    }

    fn is_bottom(&self, a: &Self::Elem) -> bool {
        Boxes.is_bottom(&a.sides)
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem) -> bool {
        Boxes.leq(&a.sides, &b.sides) && self.0.leq(&a.other, &b.other)
    }

    fn join(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem {
        self.pair(Boxes.join(&a.sides, &b.sides), self.0.join(&a.other, &b.other))
    }

    fn meet(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem {
        if self.leq(a, b) {
            return a.clone();
        }
        if self.leq(b, a) {
            return b.clone();
        }
        self.reduced(Boxes.meet(&a.sides, &b.sides), self.0.meet(&a.other, &b.other))
    }

    fn widen(&self, old: &Self::Elem, new: &Self::Elem) -> Self::Elem {
        self.pair(Boxes.widen(&old.sides, &new.sides), self.0.widen(&old.other, &new.other))
    }

    fn narrow(&self, old: &Self::Elem, new: &Self::Elem) -> Self::Elem {
        self.pair(Boxes.narrow(&old.sides, &new.sides), self.0.narrow(&old.other, &new.other))
    }
}

impl<D: WithBox> NumDomain for BoxWith<D> {
    fn assume(&self, e: &Self::Elem, c: &LinCons) -> Self::Elem {
        if self.entails(e, c) {
            return e.clone();
        }
        self.reduced(Boxes.assume(&e.sides, c), self.0.assume(&e.other, c))
    }

    fn assign(&self, e: &Self::Elem, x: Dim, expr: &LinExpr) -> Self::Elem {
        let (sides, other) = (Boxes.assign(&e.sides, x, expr), self.0.assign(&e.other, x, expr));
        // A copy has nothing to tell that the copied dimension has not told.
        let copy = expr.terms().is_empty() || matches!(expr.terms(), [(_, c)] if c.abs().is_one());
        if copy {
            self.pair(sides, other)
        } else {
            self.reduced(sides, other)
        }
    }

    fn forget(&self, e: &Self::Elem, dims: &[Dim]) -> Self::Elem {
        self.pair(Boxes.forget(&e.sides, dims), self.0.forget(&e.other, dims))
    }

    fn rename(&self, e: &Self::Elem, map: &[(Dim, Dim)]) -> Self::Elem {
        self.pair(Boxes.rename(&e.sides, map), self.0.rename(&e.other, map))
    }

    fn bounds(&self, e: &Self::Elem, expr: &LinExpr) -> Interval {
        Boxes.bounds(&e.sides, expr).intersection(&self.0.bounds(&e.other, expr))
    }

    fn constraints(&self, e: &Self::Elem) -> Vec<LinCons> {
        if self.is_bottom(e) {
            return vec![LinCons::never()];
        }
        let mut out = self.0.constraints(&e.other);
        out.extend(Boxes.constraints(&e.sides).into_iter().filter(|c| !self.0.entails(&e.other, c)));
        out.sort();
        out.dedup();
        out
    }

    fn support(&self, e: &Self::Elem) -> Vec<Dim> {
        let mut out = Boxes.support(&e.sides);
        out.extend(self.0.support(&e.other));
        out.sort();
        out.dedup();
        out
    }

    fn entails(&self, e: &Self::Elem, c: &LinCons) -> bool {
        Boxes.entails(&e.sides, c) || self.0.entails(&e.other, c)
    }

    fn assume_all(&self, e: &Self::Elem, cs: &[LinCons]) -> Self::Elem {
        if cs.iter().all(|c| self.entails(e, c)) {
            return e.clone();
        }
        self.reduced(Boxes.assume_all(&e.sides, cs), self.0.assume_all(&e.other, cs))
    }

    fn preimage_parallel(&self, e: &Self::Elem, assignments: &[(Dim, LinExpr)]) -> Self::Elem {
        self.pair(Boxes.preimage_parallel(&e.sides, assignments), self.0.preimage_parallel(&e.other, assignments))
    }

    fn widen_up_to(&self, old: &Self::Elem, new: &Self::Elem, thresholds: &[LinCons]) -> Self::Elem {
        self.pair(Boxes.widen_up_to(&old.sides, &new.sides, thresholds), self.0.widen_up_to(&old.other, &new.other, thresholds))
    }

    /// Answered only where one includes the other.
    fn join_is_exact(&self, a: &Self::Elem, b: &Self::Elem) -> bool {
        self.leq(a, b) || self.leq(b, a)
    }

    /// A point of the linear constraints or of either side, if it is in both.
    fn sample(&self, e: &Self::Elem) -> Option<Point> {
        if self.is_bottom(e) {
            return None;
        }
        let support = self.support(e);
        let inside = |p: &Point| {
            let at = |x: &Dim| LinCons::eq(LinExpr::var(*x), LinExpr::constant(p.get(x).cloned().unwrap_or(Int::ZERO)));
            let cs: Vec<LinCons> = support.iter().map(at).collect();
            !Boxes.is_bottom(&Boxes.assume_all(&e.sides, &cs)) && !self.0.is_bottom(&self.0.assume_all(&e.other, &cs))
        };
        let candidates = [self.0.sample(&e.other), Boxes.sample(&e.sides), crate::integer::point(&self.constraints(e))];
        candidates.into_iter().flatten().find(inside)
    }

    /// An interpolant of one side, or of the pair's linear constraints, if it excludes the second element.
    fn interpolate(&self, a: &Self::Elem, b: &Self::Elem) -> Option<Vec<LinCons>> {
        if self.is_bottom(a) {
            return Some(vec![LinCons::never()]);
        }
        if self.is_bottom(b) {
            return Some(Vec::new());
        }
        Boxes
            .interpolate(&a.sides, &b.sides)
            .or_else(|| self.0.interpolate(&a.other, &b.other))
            .or_else(|| crate::interpolate::poly2(self, a, b))
            .filter(|i| self.is_bottom(&self.assume_all(b, i)) && self.is_bottom(&self.meet(a, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::laws!(affine, BoxWith(AffineEqualities), crate::laws::Claims { adjoint: crate::laws::Adjoint::Signed, linear: false });
    crate::laws!(congruences, BoxWith(Congruences), crate::laws::Claims { adjoint: crate::laws::Adjoint::Signed, linear: false });
    crate::laws!(octagons, BoxWith(Octagons), crate::laws::Claims { adjoint: crate::laws::Adjoint::Signed, linear: false });
    crate::laws!(polyhedra, BoxWith(Polyhedra::default()), crate::laws::Claims { adjoint: crate::laws::Adjoint::Signed, linear: false });
    crate::laws!(zones, BoxWith(Zones), crate::laws::Claims { adjoint: crate::laws::Adjoint::Copy, linear: false });

    #[test]
    fn equations_carry_bounds_across() {
        let (d, v) = (BoxWith(AffineEqualities), |i| LinExpr::var(Dim(i)));
        let e = d.of_constraints(&[
            LinCons::eq(v(1), v(0).scaled(&2.into()) + 1.into()),
            LinCons::ge(v(0), 0.into()),
            LinCons::le(v(0), 10.into()),
        ]);
        assert_eq!(d.bounds(&e, &v(1)), Interval::new(1, 21));
        assert!(d.entails(&e, &LinCons::ge(v(1), 1.into())));
    }
}
