//! The interface of numeric domains.
//!
//! A domain implements a small core (`assume`, `assign`, `forget`, `rename`, `bounds`, `constraints`) and gets everything else;
//! it overrides a derived operation where it can do better. The derived ones use the core only, so they are sound
//! for every domain whose core is.

use std::collections::BTreeSet;

use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};

/// A lattice whose elements stand for sets of integer points, with the transfer functions of linear programs.
///
/// # Obligations
///
/// `γ(e)` is a set of points of ℤ^ω; dimensions that `e` does not mention are unconstrained. Every transfer function is
/// *sound*: its result includes the exact set named in its documentation. It is *exact* if it is that set, or (for domains
/// over the rationals) the set of integer points of the exact rational result; the implementation says where it is exact.
/// No transfer function loses a point because a number is large.
///
/// # Tour
///
/// ```
/// use plumb_num::{Dim, Interval, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
/// let d = Polyhedra::default();
/// let (x, y, z) = (Dim(0), Dim(1), Dim(2));
/// let v = LinExpr::var;
///
/// // Guards and what follows from them.
/// let e = d.of_constraints(&[LinCons::ge(v(x), 0.into()), LinCons::le(v(x), v(y)), LinCons::lt(v(y), 10.into())]);
/// assert!(d.entails(&e, &LinCons::le(v(x), 9.into())) && !d.is_bottom(&e));
/// assert_eq!(d.bounds(&e, &(v(x) + v(y))), Interval::new(0, 18));
/// assert_eq!(d.bounds(&d.assume(&e, &LinCons::ne(v(x), 0.into())), &v(x)), Interval::new(1, 9));
///
/// // Assignments: single, parallel, nondeterministic; and the way back.
/// let sum = d.assign(&e, z, &(v(x) + v(y)));
/// assert!(d.entails(&sum, &LinCons::eq(v(z) - v(x), v(y))));
/// let swapped = d.assign_parallel(&e, &[(x, v(y)), (y, v(x))]);
/// assert!(d.entails(&swapped, &LinCons::ge(v(x), v(y))));
/// let between = d.assign_between(&e, z, Some(&v(x)), Some(&v(y)));
/// assert!(d.entails(&between, &LinCons::le(v(z), 9.into())));
/// assert_eq!(d.preimage_assign(&sum, z, &(v(x) + v(y))), e);
/// assert_eq!(d.preimage_parallel(&swapped, &[(x, v(y)), (y, v(x))]), e);
///
/// // Dimensions: quantify, keep, rename, insert, remove.
/// assert_eq!(d.support(&d.forget(&e, &[y])), [x]);
/// assert_eq!(d.project(&e, &[x]), d.forget(&e, &[y]));
/// assert_eq!(d.support(&d.rename(&e, &[(x, z)])), [y, z]);
/// assert_eq!(d.remove_dims(&d.add_dims(&e, y, 2), y, 2), e);
///
/// // The lattice: hull, whether it is exact, meet, widening, thresholds, narrowing.
/// let next = d.assign(&e, x, &(v(x) - 1.into()));
/// let hull = d.join(&e, &next);
/// assert!(d.leq(&e, &hull) && d.join_is_exact(&e, &next));
/// assert!(d.leq(&d.meet(&e, &next), &e));
/// let wide = d.widen(&e, &hull);
/// assert_eq!(d.bounds(&wide, &v(x)).lo, None);
/// let floor = LinCons::ge(v(x), LinExpr::constant(-100));
/// let limited = d.widen_up_to(&e, &hull, &[floor]);
/// assert_eq!(d.bounds(&limited, &v(x)).lo, Some((-100).into()));
/// assert_eq!(d.narrow(&wide, &limited), limited);
///
/// // Points and interpolants.
/// let point = d.sample(&e).unwrap();
/// assert!(d.constraints(&e).iter().all(|c| c.holds(&point)));
/// let error = d.of_constraints(&[LinCons::ge(v(x), 20.into())]);
/// assert_eq!(d.interpolate(&e, &error), Some(vec![LinCons::le(v(x), 19.into())]));
/// ```
pub trait NumDomain: Lattice + Sized {
    /// `{ p ∈ γ(e) | p satisfies c }`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Interval, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x) = (Polyhedra::default(), LinExpr::var(Dim(0)));
    /// let e = d.assume(&d.top(), &LinCons::ge(x.clone(), 0.into()));
    /// let e = d.assume(&e, &LinCons::lt(x.scaled(&2.into()), 9.into()));
    /// assert_eq!(d.bounds(&e, &x), Interval::new(0, 4));
    /// assert_eq!(d.bounds(&d.assume(&e, &LinCons::ne(x.clone(), 4.into())), &x), Interval::new(0, 3));
    /// ```
    fn assume(&self, e: &Self::Elem, c: &LinCons) -> Self::Elem;

    /// `{ p[x ↦ expr(p)] | p ∈ γ(e) }`: the image of `x := expr`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let e = d.of_constraints(&[LinCons::eq(x.clone(), y.clone())]);
    /// // x := 2x + 1
    /// let next = d.assign(&e, Dim(0), &(x.scaled(&2.into()) + 1.into()));
    /// assert_eq!(next, d.of_constraints(&[LinCons::eq(x, y.scaled(&2.into()) + 1.into())]));
    /// ```
    fn assign(&self, e: &Self::Elem, x: Dim, expr: &LinExpr) -> Self::Elem;

    /// `{ p[x ↦ v] | p ∈ γ(e), v ∈ ℤ, x ∈ dims }`: existential quantification, which is also `x := *`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Octagons};
    /// let (d, v) = (Octagons, |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::lt(v(0), v(1)), LinCons::lt(v(1), v(2))]);
    /// // What related the others through the forgotten dimension stays.
    /// assert_eq!(d.forget(&e, &[Dim(1)]), d.of_constraints(&[LinCons::le(v(0), v(2) - 2.into())]));
    /// ```
    fn forget(&self, e: &Self::Elem, dims: &[Dim]) -> Self::Elem;

    /// Moves every dimension `from` to `to` at once. The `from`s are distinct, the `to`s are distinct, and a `to` that is
    /// not also a `from` is unconstrained in `e` (the caller has forgotten it). A `from` that is not also a `to` is
    /// unconstrained in the result.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Zones};
    /// let (d, v) = (Zones, |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::lt(v(0), v(1))]);
    /// assert_eq!(d.rename(&e, &[(Dim(0), Dim(1)), (Dim(1), Dim(0))]), d.of_constraints(&[LinCons::lt(v(1), v(0))]));
    /// assert_eq!(d.rename(&e, &[(Dim(1), Dim(7))]), d.of_constraints(&[LinCons::lt(v(0), v(7))]));
    /// ```
    fn rename(&self, e: &Self::Elem, map: &[(Dim, Dim)]) -> Self::Elem;

    /// An interval that includes the values of `expr` on `γ(e)`; empty if `e` is bottom.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Interval, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let e = d.of_constraints(&[LinCons::ge(x.clone(), y.clone()), LinCons::le(x.clone() + y.clone(), 5.into())]);
    /// assert_eq!(d.bounds(&e, &y), Interval { lo: None, hi: Some(2.into()) });
    /// assert!(d.bounds(&d.bottom(), &y).is_empty());
    /// ```
    fn bounds(&self, e: &Self::Elem, expr: &LinExpr) -> Interval;

    /// Constraints (no `≠`) all of which hold on `γ(e)`; for a domain made of linear constraints their integer solutions
    /// are exactly `γ(e)`. Deterministic: equal elements give equal lists. Bottom gives `[never]`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x) = (Polyhedra::default(), LinExpr::var(Dim(0)));
    /// let e = d.of_constraints(&[LinCons::ge(x.clone(), 1.into()), LinCons::ge(x.clone(), 3.into())]);
    /// assert_eq!(d.constraints(&e), [LinCons::ge(x, 3.into())]);
    /// assert_eq!(d.constraints(&d.bottom()), [LinCons::never()]);
    /// ```
    fn constraints(&self, e: &Self::Elem) -> Vec<LinCons>;

    /// The dimensions `e` constrains.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Octagons};
    /// let (d, v) = (Octagons, |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::lt(v(3), v(1)), LinCons::ge(v(5), 0.into())]);
    /// assert_eq!(d.support(&e), [Dim(1), Dim(3), Dim(5)]);
    /// ```
    fn support(&self, e: &Self::Elem) -> Vec<Dim> {
        let dims: BTreeSet<Dim> = self.constraints(e).iter().flat_map(|c| c.expr().dims().collect::<Vec<_>>()).collect();
        dims.into_iter().collect()
    }

    /// At least the dimensions of [`NumDomain::support`], sorted. A domain that computes normal forms on need gives more where the
    /// support would take one.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, v) = (Polyhedra::default(), |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::lt(v(3), v(1)), LinCons::ge(v(5), 0.into())]);
    /// assert!(d.support(&e).iter().all(|x| d.mentioned(&e).contains(x)));
    /// assert!(d.mentioned(&e).is_sorted());
    /// ```
    fn mentioned(&self, e: &Self::Elem) -> Vec<Dim> {
        self.support(e)
    }

    /// `assume` of every constraint in turn.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Interval, Lattice, LinCons, NumDomain, Boxes};
    /// let (d, x) = (Boxes, Dim(0));
    /// let between = [LinCons::gt(x.into(), 2.into()), LinCons::le(x.into(), 8.into())];
    /// assert_eq!(d.bounds(&d.assume_all(&d.top(), &between), &x.into()), Interval::new(3, 8));
    /// ```
    fn assume_all(&self, e: &Self::Elem, cs: &[LinCons]) -> Self::Elem {
        cs.iter().fold(e.clone(), |e, c| self.assume(&e, c))
    }

    /// The element of a conjunction of constraints.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Octagons};
    /// let (d, x, y) = (Octagons, LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let e = d.of_constraints(&[LinCons::le(x.clone(), y.clone()), LinCons::le(y.clone(), x.clone())]);
    /// assert_eq!(e, d.assume(&d.top(), &LinCons::eq(x, y)));
    /// assert!(d.is_top(&d.of_constraints(&[])));
    /// ```
    fn of_constraints(&self, cs: &[LinCons]) -> Self::Elem {
        self.assume_all(&self.top(), cs)
    }

    /// Whether every point of `γ(e)` is known to satisfy `c`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Zones};
    /// let (d, x, y) = (Zones, LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let e = d.of_constraints(&[LinCons::lt(x.clone(), y.clone())]);
    /// assert!(d.entails(&e, &LinCons::le(x.clone(), y.clone())) && d.entails(&e, &LinCons::ne(x.clone(), y.clone())));
    /// assert!(!d.entails(&e, &LinCons::eq(x.clone() + 1.into(), y)) && !d.entails(&e, &LinCons::ge(x, 0.into())));
    /// ```
    fn entails(&self, e: &Self::Elem, c: &LinCons) -> bool {
        let b = self.bounds(e, c.expr());
        if b.is_empty() {
            return true;
        }
        let at_least_0 = b.lo.as_ref().is_some_and(|l| !l.is_negative());
        let at_most_0 = b.hi.as_ref().is_some_and(|h| !h.is_positive());
        match c.kind() {
            ConsKind::Ge => at_least_0,
            ConsKind::Eq => at_least_0 && at_most_0,
            ConsKind::Ne => {
                b.lo.as_ref().is_some_and(|l| l.is_positive())
                    || b.hi.as_ref().is_some_and(|h| h.is_negative())
                    || self.is_bottom(&self.assume(e, &c.negated()))
            }
        }
    }

    /// The image of the parallel assignment `(x₁, …, xₙ) := (e₁, …, eₙ)`; the `xᵢ` are distinct.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), Dim(0), Dim(1));
    /// let v = LinExpr::var;
    /// let e = d.of_constraints(&[LinCons::eq(v(x), 1.into()), LinCons::eq(v(y), 10.into())]);
    /// // (x, y) := (y, x + y), both read before.
    /// let next = d.assign_parallel(&e, &[(x, v(y)), (y, v(x) + v(y))]);
    /// assert_eq!(next, d.of_constraints(&[LinCons::eq(v(x), 10.into()), LinCons::eq(v(y), 11.into())]));
    /// ```
    fn assign_parallel(&self, e: &Self::Elem, assignments: &[(Dim, LinExpr)]) -> Self::Elem {
        match assignments {
            [] => e.clone(),
            [(x, expr)] => self.assign(e, *x, expr),
            _ => {
                let exprs = assignments.iter().map(|a| &a.1);
                let fresh = fresh(self, e, exprs, assignments.iter().map(|a| a.0));
                let mut out = e.clone();
                let mut map = Vec::with_capacity(assignments.len());
                for (i, (x, expr)) in assignments.iter().enumerate() {
                    let t = Dim(fresh.0 + i as u32);
                    out = self.assign(&out, t, expr);
                    map.push((t, *x));
                }
                let targets: Vec<Dim> = assignments.iter().map(|a| a.0).collect();
                self.rename(&self.forget(&out, &targets), &map)
            }
        }
    }

    /// The image of `x := v` for any integer `v` with `lo ≤ v ≤ hi`, both evaluated before the assignment; an absent
    /// bound is no bound.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Zones};
    /// let (d, x, y) = (Zones, Dim(0), Dim(1));
    /// let v = LinExpr::var;
    /// let e = d.of_constraints(&[LinCons::eq(v(x), v(y))]);
    /// // x := any value from x + 1 on, where x was y.
    /// let next = d.assign_between(&e, x, Some(&(v(x) + 1.into())), None);
    /// assert_eq!(next, d.of_constraints(&[LinCons::gt(v(x), v(y))]));
    /// ```
    fn assign_between(&self, e: &Self::Elem, x: Dim, lo: Option<&LinExpr>, hi: Option<&LinExpr>) -> Self::Elem {
        let t = fresh(self, e, lo.into_iter().chain(hi), [x]);
        let mut out = e.clone();
        if let Some(lo) = lo {
            out = self.assume(&out, &LinCons::ge(LinExpr::var(t), lo.clone()));
        }
        if let Some(hi) = hi {
            out = self.assume(&out, &LinCons::le(LinExpr::var(t), hi.clone()));
        }
        self.rename(&self.forget(&out, &[x]), &[(t, x)])
    }

    /// `{ p | p[x ↦ expr(p)] ∈ γ(e) }`: the preimage of `x := expr`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let after = d.of_constraints(&[LinCons::ge(x.clone(), 5.into())]);
    /// // x ≥ 5 after x := x - 2y, that is x - 2y ≥ 5 before.
    /// let e = x.clone() - y.scaled(&2.into());
    /// assert_eq!(d.preimage_assign(&after, Dim(0), &e), d.of_constraints(&[LinCons::ge(e, 5.into())]));
    /// ```
    fn preimage_assign(&self, e: &Self::Elem, x: Dim, expr: &LinExpr) -> Self::Elem {
        self.preimage_parallel(e, &[(x, expr.clone())])
    }

    /// The preimage of a parallel assignment.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Octagons};
    /// let (d, x, y) = (Octagons, Dim(0), Dim(1));
    /// let v = LinExpr::var;
    /// let after = d.of_constraints(&[LinCons::lt(v(x), v(y))]);
    /// let before = d.preimage_parallel(&after, &[(x, v(y)), (y, v(x) + 3.into())]);
    /// assert_eq!(before, d.of_constraints(&[LinCons::lt(v(y), v(x) + 3.into())]));
    /// ```
    fn preimage_parallel(&self, e: &Self::Elem, assignments: &[(Dim, LinExpr)]) -> Self::Elem {
        let fresh = fresh(self, e, assignments.iter().map(|a| &a.1), assignments.iter().map(|a| a.0));
        let temps: Vec<Dim> = (0..assignments.len() as u32).map(|i| Dim(fresh.0 + i)).collect();
        let map: Vec<(Dim, Dim)> = assignments.iter().zip(&temps).map(|((x, _), t)| (*x, *t)).collect();
        let mut out = self.rename(e, &map);
        for ((_, expr), t) in assignments.iter().zip(&temps) {
            out = self.assume(&out, &LinCons::eq(LinExpr::var(*t), expr.clone()));
        }
        self.forget(&out, &temps)
    }

    /// The preimage of `x := *`: the points of which *some* successor is in `γ(e)`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Zones};
    /// let (d, x, y) = (Zones, LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// // Some x with y < x < 5 exists iff y ≤ 3.
    /// let after = d.of_constraints(&[LinCons::lt(y.clone(), x.clone()), LinCons::lt(x, 5.into())]);
    /// assert_eq!(d.preimage_forget(&after, &[Dim(0)]), d.of_constraints(&[LinCons::le(y, 3.into())]));
    /// ```
    fn preimage_forget(&self, e: &Self::Elem, dims: &[Dim]) -> Self::Elem {
        self.forget(e, dims)
    }

    /// The projection on `dims`: everything else is forgotten.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, v) = (Polyhedra::default(), |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::eq(v(0), v(1) + v(2)), LinCons::ge(v(1), 1.into()), LinCons::ge(v(2), 2.into())]);
    /// assert_eq!(d.project(&e, &[Dim(0)]), d.of_constraints(&[LinCons::ge(v(0), 3.into())]));
    /// ```
    fn project(&self, e: &Self::Elem, dims: &[Dim]) -> Self::Elem {
        let keep: BTreeSet<Dim> = dims.iter().copied().collect();
        let drop: Vec<Dim> = self.support(e).into_iter().filter(|d| !keep.contains(d)).collect();
        if drop.is_empty() {
            e.clone()
        } else {
            self.forget(e, &drop)
        }
    }

    /// Inserts `count` unconstrained dimensions before `at`; later dimensions move up.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Octagons};
    /// let (d, v) = (Octagons, |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::lt(v(0), v(1))]);
    /// assert_eq!(d.add_dims(&e, Dim(1), 2), d.of_constraints(&[LinCons::lt(v(0), v(3))]));
    /// ```
    fn add_dims(&self, e: &Self::Elem, at: Dim, count: u32) -> Self::Elem {
        let map: Vec<(Dim, Dim)> = self.support(e).into_iter().filter(|d| *d >= at).map(|d| (d, Dim(d.0 + count))).collect();
        self.rename(e, &map)
    }

    /// Removes the dimensions `at .. at + count`; later dimensions move down.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Octagons};
    /// let (d, v) = (Octagons, |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::lt(v(0), v(1)), LinCons::lt(v(1), v(2))]);
    /// assert_eq!(d.remove_dims(&e, Dim(1), 1), d.of_constraints(&[LinCons::lt(v(0), v(1) - 1.into())]));
    /// ```
    fn remove_dims(&self, e: &Self::Elem, at: Dim, count: u32) -> Self::Elem {
        let gone: Vec<Dim> = self.support(e).into_iter().filter(|d| *d >= at && d.0 < at.0 + count).collect();
        let e = self.forget(e, &gone);
        let map: Vec<(Dim, Dim)> = self.support(&e).into_iter().filter(|d| *d >= at).map(|d| (d, Dim(d.0 - count))).collect();
        self.rename(&e, &map)
    }

    /// *Widening up-to* (Halbwachs et al. 1997): the widening, cut back by those thresholds that both arguments satisfy.
    /// Chains with a fixed finite threshold set still converge.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Interval, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x) = (Polyhedra::default(), LinExpr::var(Dim(0)));
    /// let old = d.of_constraints(&[LinCons::eq(x.clone(), 0.into())]);
    /// let new = d.join(&old, &d.of_constraints(&[LinCons::eq(x.clone(), 4.into())]));
    /// // The first threshold holds in both arguments, the second does not.
    /// let up_to = [LinCons::le(x.clone(), 10.into()), LinCons::le(x.clone(), 3.into())];
    /// assert_eq!(d.bounds(&d.widen_up_to(&old, &new, &up_to), &x), Interval::new(0, 10));
    /// ```
    fn widen_up_to(&self, old: &Self::Elem, new: &Self::Elem, thresholds: &[LinCons]) -> Self::Elem {
        let widened = self.widen(old, new);
        // Entailment may be known over the integers only; the result has to be above both arguments in the order.
        let within = |e: &Self::Elem, c: &LinCons| self.entails(e, c) && self.leq(e, &self.assume(e, c));
        let kept: Vec<LinCons> = thresholds
            .iter()
            .filter(|c| c.kind() != ConsKind::Ne && !self.entails(&widened, c) && within(old, c) && within(new, c))
            .cloned()
            .collect();
        self.assume_all(&widened, &kept)
    }

    /// Whether `γ(join(a, b)) = γ(a) ∪ γ(b)` could be established. Exact for polyhedra up to rational points: the difference
    /// of the join and `a`, constraint by constraint with integer complements, must lie in `b`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, NumDomain, Polyhedra};
    /// let d = Polyhedra::default();
    /// let between = |lo: i64, hi: i64| d.of_constraints(&[LinCons::ge(Dim(0).into(), lo.into()), LinCons::le(Dim(0).into(), hi.into())]);
    /// // No integer is between 4 and 5, but 5 is between 4 and 6.
    /// assert!(d.join_is_exact(&between(0, 4), &between(5, 9)));
    /// assert!(!d.join_is_exact(&between(0, 4), &between(6, 9)));
    /// ```
    fn join_is_exact(&self, a: &Self::Elem, b: &Self::Elem) -> bool {
        if self.leq(a, b) || self.leq(b, a) {
            return true;
        }
        let join = self.join(a, b);
        let cases: Vec<LinCons> = self.constraints(a).iter().flat_map(LinCons::negated_cases).collect();
        cases.iter().all(|c| self.leq(&self.assume(&join, c), b))
    }

    /// An integer point of the element's linear constraints, if one was found within a fixed search effort.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let cs = [LinCons::eq(x.scaled(&3.into()), y.scaled(&2.into()) + 1.into()), LinCons::gt(x.clone(), 1.into())];
    /// let point = d.sample(&d.of_constraints(&cs)).unwrap();
    /// assert!(cs.iter().all(|c| c.holds(&point)));
    /// assert_eq!(d.sample(&d.bottom()), None);
    /// ```
    fn sample(&self, e: &Self::Elem) -> Option<Point> {
        if self.is_bottom(e) {
            return None;
        }
        crate::integer::point(&self.constraints(e))
    }

    /// An interpolant of two disjoint elements: constraints over the dimensions common to both whose conjunction `I` has
    /// `γ(a) ⊆ I` and `I ∩ γ(b) = ∅`; `None` if the elements are not known to be disjoint or none was found.
    ///
    /// The default is the seed's `InterpolatePoly1`, then `InterpolatePoly2` (Gulavani et al., TACAS 2008, Section 4), both
    /// of which need nothing but the core operations: see [`crate::interpolate`].
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Octagons};
    /// let (d, v) = (Octagons, |i| LinExpr::var(Dim(i)));
    /// let a = d.of_constraints(&[LinCons::le(v(0), v(1)), LinCons::le(v(1), 3.into())]);
    /// let b = d.of_constraints(&[LinCons::ge(v(0), v(2)), LinCons::ge(v(2), 8.into())]);
    /// assert_eq!(d.interpolate(&a, &b), Some(vec![LinCons::le(v(0), 7.into())]));
    /// assert_eq!(d.interpolate(&a, &a), None);
    /// ```
    fn interpolate(&self, a: &Self::Elem, b: &Self::Elem) -> Option<Vec<LinCons>> {
        if self.is_bottom(a) {
            return Some(vec![LinCons::never()]);
        }
        if self.is_bottom(b) {
            return Some(Vec::new());
        }
        crate::interpolate::poly1(self, a, b).or_else(|| crate::interpolate::poly2(self, a, b))
    }
}

/// The first of a run of dimensions that neither the element nor the expressions nor `also` mention.
pub(crate) fn fresh<'a, D: NumDomain>(
    domain: &D,
    e: &D::Elem,
    exprs: impl IntoIterator<Item = &'a LinExpr>,
    also: impl IntoIterator<Item = Dim>,
) -> Dim {
    let mut next = domain.mentioned(e).last().map_or(0, |d| d.0 + 1);
    for expr in exprs {
        next = expr.dims().fold(next, |n, d| n.max(d.0 + 1));
    }
    Dim(also.into_iter().fold(next, |n, d| n.max(d.0 + 1)))
}
