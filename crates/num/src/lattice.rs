//! The lattice every abstract domain is.

use std::fmt::Debug;
use std::hash::Hash;

/// An abstract domain: a value that owns what elements share (parameters, managers), and the type of its elements, which
/// are plain data.
///
/// # Obligations
///
/// Write γ for the set of concrete states an element stands for. Every implementation promises, for all elements:
///
/// - `γ(bottom) = ∅` and `γ(top)` is everything.
/// - `leq` is a partial order up to `Eq`, and `leq(a, b)` implies `γ(a) ⊆ γ(b)`. It may answer `false` where inclusion
///   holds, but never `true` where it does not.
/// - `join(a, b)` is an upper bound and `meet(a, b)` includes `γ(a) ∩ γ(b)` and is below both in `leq`.
/// - `is_bottom(a)` implies `γ(a) = ∅`; the converse may fail where deciding it would be too expensive (a polyhedron
///   may have rational points but no integer ones).
/// - `Eq` and `Hash` are those of a canonical form where the domain has one: `leq` both ways implies `==`.
///
/// # Convergence
///
/// `widen(old, new)` is above both in `leq`, and for every sequence `n₀, n₁, …` the chain `w₀ = n₀`,
/// `wᵢ₊₁ = widen(wᵢ, join(wᵢ, nᵢ₊₁))` becomes stationary. Implementations may assume `leq(old, new)`; callers join first.
/// `narrow(old, new)` for `leq(new, old)` lies between them, and chains `wᵢ₊₁ = narrow(wᵢ, meet(wᵢ, nᵢ₊₁))` become stationary.
pub trait Lattice {
    /// The elements.
    type Elem: Clone + Debug + Eq + Hash + Send + Sync;

    /// The least element.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Lattice, LinCons, NumDomain, Octagons};
    /// let d = Octagons;
    /// assert!(d.is_bottom(&d.bottom()));
    /// assert!(d.leq(&d.bottom(), &d.of_constraints(&[LinCons::eq(Dim(0).into(), 7.into())])));
    /// ```
    fn bottom(&self) -> Self::Elem;

    /// The greatest element.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Lattice, LinCons, NumDomain, Octagons};
    /// let d = Octagons;
    /// assert!(d.support(&d.top()).is_empty() && !d.is_bottom(&d.top()));
    /// assert!(d.leq(&d.of_constraints(&[LinCons::eq(Dim(0).into(), 7.into())]), &d.top()));
    /// ```
    fn top(&self) -> Self::Elem;

    /// Whether the element is known to stand for nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Lattice, LinCons, NumDomain, Zones};
    /// let (d, x) = (Zones, Dim(0));
    /// let e = d.of_constraints(&[LinCons::ge(x.into(), 3.into())]);
    /// assert!(!d.is_bottom(&d.assume(&e, &LinCons::le(x.into(), 3.into()))));
    /// assert!(d.is_bottom(&d.assume(&e, &LinCons::lt(x.into(), 3.into()))));
    /// ```
    fn is_bottom(&self, a: &Self::Elem) -> bool;

    /// The order.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Boxes, Dim, Lattice, LinCons, NumDomain};
    /// let (d, x) = (Boxes, Dim(0));
    /// let natural = d.of_constraints(&[LinCons::ge(x.into(), 0.into())]);
    /// let positive = d.of_constraints(&[LinCons::ge(x.into(), 1.into())]);
    /// assert!(d.leq(&positive, &natural) && !d.leq(&natural, &positive));
    /// ```
    fn leq(&self, a: &Self::Elem, b: &Self::Elem) -> bool;

    /// An upper bound; the least one where the domain has it.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let point = |a: i64, b: i64| d.of_constraints(&[LinCons::eq(x.clone(), a.into()), LinCons::eq(y.clone(), b.into())]);
    /// // The hull of two points is the segment between them.
    /// let hull = d.join(&point(0, 0), &point(2, 6));
    /// assert!(d.leq(&point(1, 3), &hull) && !d.leq(&point(1, 2), &hull) && !d.leq(&point(3, 9), &hull));
    /// ```
    fn join(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem;

    /// A lower bound that keeps the common states; the greatest one where the domain has it.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Interval, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let a = d.of_constraints(&[LinCons::ge(x.clone(), y.clone()), LinCons::ge(y.clone(), 0.into())]);
    /// let b = d.of_constraints(&[LinCons::le(x.clone(), 4.into())]);
    /// assert_eq!(d.bounds(&d.meet(&a, &b), &y), Interval::new(0, 4));
    /// ```
    fn meet(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem;

    /// The widening `old ∇ new`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Boxes, Dim, Interval, Lattice, LinCons, LinExpr, NumDomain};
    /// let (d, x) = (Boxes, Dim(0));
    /// let old = d.of_constraints(&[LinCons::eq(x.into(), 0.into())]);
    /// let new = d.join(&old, &d.assign(&old, x, &(LinExpr::var(x) + 1.into())));
    /// // The stable lower bound stays, the moving upper one goes.
    /// assert_eq!(d.bounds(&d.widen(&old, &new), &x.into()), Interval { lo: Some(0.into()), hi: None });
    /// ```
    fn widen(&self, old: &Self::Elem, new: &Self::Elem) -> Self::Elem;

    /// The narrowing `old Δ new`; keeping `old` is always a correct one.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Boxes, Dim, Interval, Lattice, LinCons, NumDomain};
    /// let (d, x) = (Boxes, Dim(0));
    /// let wide = d.of_constraints(&[LinCons::ge(x.into(), 0.into())]);
    /// // One more pass through a loop with the guard x < 10 says what the widening had given up.
    /// let once_more = d.assume(&wide, &LinCons::le(x.into(), 10.into()));
    /// assert_eq!(d.bounds(&d.narrow(&wide, &once_more), &x.into()), Interval::new(0, 10));
    /// ```
    fn narrow(&self, old: &Self::Elem, _new: &Self::Elem) -> Self::Elem {
        old.clone()
    }

    /// Whether the element is the greatest one.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Lattice, LinCons, NumDomain, Polyhedra};
    /// let (d, x) = (Polyhedra::default(), Dim(0));
    /// let e = d.of_constraints(&[LinCons::ge(x.into(), 0.into())]);
    /// assert!(!d.is_top(&e) && d.is_top(&d.forget(&e, &[x])));
    /// ```
    fn is_top(&self, a: &Self::Elem) -> bool {
        *a == self.top()
    }
}
