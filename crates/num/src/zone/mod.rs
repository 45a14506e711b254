//! Zones: conjunctions of `x - y ≤ c` and `±x ≤ c` over the integers.
//!
//! A quarter of an octagon's matrix and the same algorithms without sums. Exact: meet, guards that are differences, forget, rename, images and preimages of
//! `x := y + c` and `x := c`. Least: join, images of any `x := e` (up to rounding), guards with `≠`. Other guards are approximated through the
//! bounds of the differences of their dimensions. [`bounds`](crate::NumDomain::bounds) is the exact rational optimum rounded to integers.

mod elem;
mod square;
mod transfer;

pub use elem::Zone;

use std::sync::Arc;

use crate::dbm::Dbm;
use crate::lattice::Lattice;
use crate::linear::{Dim, LinCons};
use elem::Diff;

/// The domain of zones.
///
/// ```
/// use plumb_num::{Dim, Interval, Lattice, LinCons, LinExpr, NumDomain, Zones};
/// let (d, x, y) = (Zones, Dim(0), Dim(1));
/// let v = LinExpr::var;
/// let e = d.of_constraints(&[LinCons::lt(v(x), v(y)), LinCons::ge(v(x), 0.into()), LinCons::le(v(y), 9.into())]);
/// assert_eq!(d.bounds(&e, &(v(y) - v(x))), Interval::new(1, 9));
/// let next = d.assign(&e, x, &(v(x) + 1.into()));
/// assert!(d.entails(&next, &LinCons::le(v(x), v(y))));
/// assert!(d.is_bottom(&d.assume(&e, &LinCons::eq(v(x), v(y)))));
/// // Widening drops x < y and the bound of x that came with it; a threshold keeps x ≤ y.
/// let new = d.join(&e, &next);
/// assert_eq!(d.bounds(&d.widen(&e, &new), &v(x)).hi, None);
/// let w = d.widen_up_to(&e, &new, &[LinCons::le(v(x), v(y))]);
/// assert_eq!(d.bounds(&w, &v(x)), Interval::new(0, 9));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zones;

impl Lattice for Zones {
    type Elem = Zone;

    fn bottom(&self) -> Zone {
        Zone::bottom()
    }

    fn top(&self) -> Zone {
        Zone::top()
    }

    fn is_bottom(&self, a: &Zone) -> bool {
        a.is_bottom()
    }

    fn leq(&self, a: &Zone, b: &Zone) -> bool {
        match (&a.body, &b.body) {
            (None, _) => true,
            (_, None) => false,
            (Some(x), Some(y)) if Arc::ptr_eq(x, y) => true,
            (_, Some(y)) => y.dims.iter().all(|d| a.place(Some(*d)).is_some()) && Dbm::leq(&a.matrix(&y.dims), &y.m),
        }
    }

    fn join(&self, a: &Zone, b: &Zone) -> Zone {
        if a.is_bottom() || a == b {
            return b.clone();
        }
        if b.is_bottom() {
            return a.clone();
        }
        let dims: Vec<Dim> = a.dims().iter().copied().filter(|d| b.place(Some(*d)).is_some()).collect();
        let m = Dbm::max(&a.matrix(&dims), &b.matrix(&dims));
        Zone::of_matrix(dims, m)
    }

    fn meet(&self, a: &Zone, b: &Zone) -> Zone {
        if a.is_bottom() || b.is_bottom() {
            return Zone::bottom();
        }
        a.add_all(&b.stored())
    }

    fn widen(&self, old: &Zone, new: &Zone) -> Zone {
        widen(old, new, &[])
    }

    fn narrow(&self, old: &Zone, new: &Zone) -> Zone {
        if old.is_bottom() || new.is_bottom() {
            return Zone::bottom();
        }
        let missing: Vec<Diff> = new.stored().into_iter().filter(|c| old.bound(c.from, c.to).is_none()).collect();
        old.add_all(&missing)
    }
}

/// Keeps the bounds of the old element (those it was widened from, if it was) that hold in the new one, and the thresholds that hold in both.
fn widen(old: &Zone, new: &Zone, thresholds: &[LinCons]) -> Zone {
    if old.is_bottom() {
        return new.clone();
    }
    if new.is_bottom() {
        return old.clone();
    }
    let holds = |e: &Zone, c: &Diff| e.bound(c.from, c.to).is_some_and(|b| b <= c.c);
    let start = old.basis.as_ref().map_or_else(|| old.stored(), |b| b.to_vec());
    let mut kept: Vec<Diff> = start.into_iter().filter(|c| holds(new, c)).collect();
    for t in thresholds.iter().filter_map(Diff::of_cons).flatten() {
        if holds(old, &t) && holds(new, &t) && !kept.contains(&t) {
            kept.push(t);
        }
    }
    let mut out = Zone::top().add_all(&kept);
    out.basis = Some(Arc::new(kept));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::NumDomain;
    use crate::laws::gen::Case;

    crate::laws!(laws, Zones, crate::laws::Claims { adjoint: crate::laws::Adjoint::Copy, linear: true });

    /// Every zone is an octagon, and the two agree on what a zone can say.
    #[test]
    fn agrees_with_octagons() {
        for number in 0..2000 {
            let mut case = Case::new(number);
            let p = case.point();
            let cs: Vec<LinCons> = (0..8)
                .map(|_| if case.rng.one_in(3) { case.cons() } else { case.cons_at(&p) })
                .filter(|c| Diff::of_cons(c).is_some())
                .collect();
            let (zone, octagon) = (Zones.of_constraints(&cs), crate::Octagons.of_constraints(&cs));
            assert_eq!(Zones.is_bottom(&zone), crate::Octagons.is_bottom(&octagon), "case {number}: {cs:?}");
            let expr = case.expr();
            assert_eq!(Zones.bounds(&zone, &expr), crate::Octagons.bounds(&octagon, &expr), "case {number}: {expr:?} under {cs:?}");
        }
    }
}
