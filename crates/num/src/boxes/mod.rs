//! Boxes: one integer interval per dimension.
//!
//! The cheapest domain. Exact: meet, guards `±x + c ⋈ 0` of every kind whose solutions are an interval, forget, rename, the
//! image of `x := ±x + c`, preimages of `x := k·y + c`. Everything else is the smallest box, except that an equation between several
//! dimensions is propagated a bounded number of times only.

mod propagate;

use std::cmp::Ordering;

use crate::domain::NumDomain;
use crate::int::Int;
use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};

/// The domain of boxes.
///
/// ```
/// use plumb_num::{Boxes, Dim, Interval, Lattice, LinCons, LinExpr, NumDomain};
/// let (d, x) = (Boxes, Dim(0));
/// let zero = d.assign(&d.top(), x, &0.into());
/// let one = d.assign(&zero, x, &(LinExpr::var(x) + 1.into()));
/// let either = d.join(&zero, &one);
/// assert_eq!(d.bounds(&either, &x.into()), Interval::new(0, 1));
/// // Widening gives up the bound that moved; a threshold keeps it.
/// assert_eq!(d.bounds(&d.widen(&zero, &either), &x.into()).hi, None);
/// let small = LinCons::le(x.into(), 100.into());
/// let w = d.widen_up_to(&zero, &either, &[small]);
/// assert_eq!(d.bounds(&w, &x.into()), Interval::new(0, 100));
/// // Narrowing refines infinite ends.
/// let guarded = d.assume(&d.widen(&zero, &either), &LinCons::lt(x.into(), 10.into()));
/// assert_eq!(d.bounds(&d.narrow(&d.widen(&zero, &either), &guarded), &x.into()), Interval::new(0, 9));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boxes;

/// A box: bottom, or an interval for each constrained dimension.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IntBox {
    /// Sorted by dimension; no interval is full or empty. `None` is bottom.
    sides: Option<Vec<(Dim, Interval)>>,
}

impl IntBox {
    /// The interval of a dimension; empty for bottom.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Boxes, Dim, Interval, Lattice, LinCons, NumDomain};
    /// let e = Boxes.of_constraints(&[LinCons::eq(Dim(0).into(), 4.into())]);
    /// assert_eq!((e.get(Dim(0)), e.get(Dim(1))), (Interval::new(4, 4), Interval::FULL));
    /// assert!(Boxes.bottom().get(Dim(0)).is_empty());
    /// ```
    pub fn get(&self, x: Dim) -> Interval {
        let Some(sides) = &self.sides else { return Interval::empty() };
        sides.binary_search_by_key(&x, |s| s.0).map_or(Interval::FULL, |i| sides[i].1.clone())
    }

    /// The constrained dimensions with their intervals, in order; none for bottom.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Boxes, Dim, Interval, LinCons, NumDomain};
    /// let e = Boxes.of_constraints(&[LinCons::eq(Dim(3).into(), 4.into()), LinCons::eq(Dim(1).into(), 0.into())]);
    /// assert_eq!(e.sides(), [(Dim(1), Interval::new(0, 0)), (Dim(3), Interval::new(4, 4))]);
    /// ```
    pub fn sides(&self) -> &[(Dim, Interval)] {
        self.sides.as_deref().unwrap_or(&[])
    }

    /// Replaces the interval of a dimension: `{ p[x ↦ v] | p ∈ self, v ∈ i }`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Boxes, Dim, Interval, Lattice};
    /// let mut e = Boxes.top();
    /// e.set(Dim(0), Interval::new(1, 2));
    /// assert_eq!(e.sides(), [(Dim(0), Interval::new(1, 2))]);
    /// e.set(Dim(0), Interval::FULL);
    /// assert!(Boxes.is_top(&e));
    /// ```
    pub fn set(&mut self, x: Dim, i: Interval) {
        if i.is_empty() {
            self.sides = None;
        }
        let Some(sides) = &mut self.sides else { return };
        match (sides.binary_search_by_key(&x, |s| s.0), i.is_full()) {
            (Ok(at), true) => drop(sides.remove(at)),
            (Ok(at), false) => sides[at].1 = i,
            (Err(_), true) => {}
            (Err(at), false) => sides.insert(at, (x, i)),
        }
    }

    fn is_bottom(&self) -> bool {
        self.sides.is_none()
    }

    /// Combines two boxes that are not bottom, side by side; a dimension that only one of them constrains is full in the other.
    fn zip(&self, other: &IntBox, f: impl Fn(&Interval, &Interval) -> Interval) -> IntBox {
        let (a, b) = (self.sides(), other.sides());
        let mut out = Vec::with_capacity(a.len().max(b.len()));
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            let order = match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) => x.0.cmp(&y.0),
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Greater,
            };
            let (dim, side) = match order {
                Ordering::Less => (a[i].0, f(&a[i].1, &Interval::FULL)),
                Ordering::Equal => (a[i].0, f(&a[i].1, &b[j].1)),
                Ordering::Greater => (b[j].0, f(&Interval::FULL, &b[j].1)),
            };
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
            if side.is_empty() {
                return IntBox { sides: None };
            }
            if !side.is_full() {
                out.push((dim, side));
            }
        }
        IntBox { sides: Some(out) }
    }
}

impl std::fmt::Debug for IntBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.sides {
            None => write!(f, "bottom"),
            Some(sides) => f.debug_map().entries(sides.iter().map(|(d, i)| (d, i))).finish(),
        }
    }
}

impl Lattice for Boxes {
    type Elem = IntBox;

    fn bottom(&self) -> IntBox {
        IntBox { sides: None }
    }

    fn top(&self) -> IntBox {
        IntBox { sides: Some(Vec::new()) }
    }

    fn is_bottom(&self, a: &IntBox) -> bool {
        a.is_bottom()
    }

    fn leq(&self, a: &IntBox, b: &IntBox) -> bool {
        a.is_bottom() || (!b.is_bottom() && b.sides().iter().all(|(d, i)| a.get(*d).is_subset(i)))
    }

    fn join(&self, a: &IntBox, b: &IntBox) -> IntBox {
        match (&a.sides, &b.sides) {
            (None, _) => b.clone(),
            (_, None) => a.clone(),
            _ => a.zip(b, Interval::hull),
        }
    }

    fn meet(&self, a: &IntBox, b: &IntBox) -> IntBox {
        if a.is_bottom() || b.is_bottom() {
            return self.bottom();
        }
        a.zip(b, Interval::intersection)
    }

    fn widen(&self, old: &IntBox, new: &IntBox) -> IntBox {
        if old.is_bottom() || new.is_bottom() {
            return self.join(old, new);
        }
        old.zip(new, |o, n| {
            let h = o.hull(n);
            Interval { lo: if h.lo == o.lo { h.lo } else { None }, hi: if h.hi == o.hi { h.hi } else { None } }
        })
    }

    fn narrow(&self, old: &IntBox, new: &IntBox) -> IntBox {
        if old.is_bottom() || new.is_bottom() {
            return self.bottom();
        }
        old.zip(new, |o, n| Interval { lo: o.lo.clone().or_else(|| n.lo.clone()), hi: o.hi.clone().or_else(|| n.hi.clone()) })
    }
}

impl NumDomain for Boxes {
    fn assume(&self, e: &IntBox, c: &LinCons) -> IntBox {
        let mut out = e.clone();
        propagate::assume(&mut out, c);
        out
    }

    fn assign(&self, e: &IntBox, x: Dim, expr: &LinExpr) -> IntBox {
        let mut out = e.clone();
        out.set(x, self.bounds(e, expr));
        out
    }

    fn forget(&self, e: &IntBox, dims: &[Dim]) -> IntBox {
        let mut out = e.clone();
        dims.iter().for_each(|d| out.set(*d, Interval::FULL));
        out
    }

    fn rename(&self, e: &IntBox, map: &[(Dim, Dim)]) -> IntBox {
        let mut out = e.clone();
        if let Some(sides) = &mut out.sides {
            for s in sides.iter_mut() {
                s.0 = map.iter().find(|(from, _)| *from == s.0).map_or(s.0, |m| m.1);
            }
            sides.sort_by_key(|s| s.0);
        }
        out
    }

    fn bounds(&self, e: &IntBox, expr: &LinExpr) -> Interval {
        if e.is_bottom() {
            return Interval::empty();
        }
        let constant = Interval::point(expr.constant_part().clone());
        expr.terms().iter().fold(constant, |sum, (d, c)| sum.plus_scaled(&e.get(*d), c))
    }

    fn constraints(&self, e: &IntBox) -> Vec<LinCons> {
        let Some(sides) = &e.sides else { return vec![LinCons::never()] };
        sides.iter().flat_map(|(d, i)| side_constraints(*d, i)).collect()
    }

    fn support(&self, e: &IntBox) -> Vec<Dim> {
        e.sides().iter().map(|s| s.0).collect()
    }

    fn preimage_parallel(&self, e: &IntBox, assignments: &[(Dim, LinExpr)]) -> IntBox {
        let targets: Vec<Dim> = assignments.iter().map(|a| a.0).collect();
        let mut out = self.forget(e, &targets);
        for (x, expr) in assignments {
            for c in side_constraints(*x, &e.get(*x)) {
                out = self.assume(&out, &LinCons::new(c.expr().substitute(*x, expr), c.kind()));
            }
        }
        out
    }

    fn sample(&self, e: &IntBox) -> Option<Point> {
        let sides = e.sides.as_ref()?;
        Some(sides.iter().map(|(d, i)| (*d, i.lo.clone().or_else(|| i.hi.clone()).unwrap_or(Int::ZERO))).collect())
    }
}

fn side_constraints(x: Dim, i: &Interval) -> Vec<LinCons> {
    if let Some(v) = i.as_point() {
        return vec![LinCons::eq(x.into(), LinExpr::constant(v.clone()))];
    }
    let lo = i.lo.as_ref().map(|l| LinCons::new(LinExpr::var(x) - LinExpr::constant(l.clone()), ConsKind::Ge));
    let hi = i.hi.as_ref().map(|h| LinCons::new(LinExpr::constant(h.clone()) - LinExpr::var(x), ConsKind::Ge));
    lo.into_iter().chain(hi).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::laws!(laws, Boxes, crate::laws::Claims { adjoint: crate::laws::Adjoint::Signed, linear: true });

    #[test]
    fn guards_tighten_every_dimension_they_mention() {
        let (x, y) = (Dim(0), Dim(1));
        let e = Boxes.of_constraints(&[LinCons::ge(x.into(), 0.into()), LinCons::ge(y.into(), 0.into())]);
        // 2x + 3y ≤ 10
        let c = LinCons::le(LinExpr::new([(x, 2), (y, 3)], 0), 10.into());
        let e = Boxes.assume(&e, &c);
        assert_eq!((e.get(x), e.get(y)), (Interval::new(0, 5), Interval::new(0, 3)));
        // 3x = 2y + 1 with 0 ≤ x ≤ 5 needs several rounds.
        let e = Boxes.assume(&e, &LinCons::eq(LinExpr::new([(x, 3), (y, -2)], 0), 1.into()));
        assert_eq!((e.get(x), e.get(y)), (Interval::new(1, 1), Interval::new(1, 1)));
        assert!(Boxes.is_bottom(&Boxes.assume(&e, &LinCons::ge(LinExpr::new([(x, 1), (y, 1)], 0), 3.into()))));
    }

    #[test]
    fn disequalities_shave_the_ends() {
        let x = Dim(3);
        let e = Boxes.of_constraints(&[LinCons::ge(x.into(), 0.into()), LinCons::le(x.into(), 2.into())]);
        let e = Boxes.assume(&e, &LinCons::ne(x.into(), 0.into()));
        assert_eq!(e.get(x), Interval::new(1, 2));
        let same = Boxes.assume(&e, &LinCons::ne(x.into(), 5.into()));
        assert_eq!(same, e);
        let e = Boxes.assume(&Boxes.assume(&e, &LinCons::ne(x.into(), 1.into())), &LinCons::ne(x.into(), 2.into()));
        assert!(Boxes.is_bottom(&e));
    }
}
