//! Octagons: conjunctions of `±x ± y ≤ c` and `±x ≤ c` over the integers.
//!
//! The form is canonical for the set of integer points: tight closure (see `half`) and a canonical partition into
//! independent blocks (see `blocks`). Numbers are machine words with room to spare, wider words and finally big integers beyond
//! (see `dbm`): no operation rounds or overflows.
//!
//! Exact: meet, guards with at most two unit coefficients, forget, rename, images and preimages of `x := ±y + c` and `x := c`. Least: join,
//! images of any `x := e` (up to rounding), guards with `≠` on octagonal expressions. Other guards are approximated through the bounds of
//! every octagonal expression over their dimensions. [`bounds`](crate::NumDomain::bounds) is the exact rational optimum rounded to integers (see `optimum`).

mod blocks;
mod cons;
mod half;
mod interpolate;
mod lattice;
mod matrix;
mod optimum;
mod transfer;
mod widening;

pub use blocks::Octagon;
pub use matrix::OctMatrix;

/// The domain of octagons.
///
/// ```
/// use plumb_num::{Dim, Interval, Lattice, LinCons, LinExpr, NumDomain, Octagons};
/// let (d, x, y) = (Octagons, Dim(0), Dim(1));
/// let v = LinExpr::var;
/// // x ≤ y ≤ 10 and x + y ≥ 3
/// let e = d.of_constraints(&[LinCons::le(v(x), v(y)), LinCons::le(v(y), 10.into()), LinCons::ge(v(x) + v(y), 3.into())]);
/// assert_eq!(d.bounds(&e, &v(y)), Interval::new(2, 10));
/// // Images and preimages of x := y + 1.
/// let next = d.assign(&e, x, &(v(y) + 1.into()));
/// assert_eq!(d.bounds(&next, &(v(x) - v(y))), Interval::new(1, 1));
/// assert!(d.leq(&e, &d.preimage_assign(&next, x, &(v(y) + 1.into()))));
/// // Joins keep what both sides say: x ≤ y + 1.
/// let j = d.join(&e, &next);
/// assert!(d.entails(&j, &LinCons::le(v(x), v(y) + 1.into())));
/// assert!(d.join_is_exact(&e, &next));
/// // Elimination is exact.
/// assert_eq!(d.bounds(&d.forget(&e, &[y]), &v(x)), Interval::new(-7, 10));
/// let p = d.sample(&e).unwrap();
/// assert!(d.constraints(&e).iter().all(|c| c.holds(&p)));
/// ```
///
/// Parallel and nondeterministic assignment, renaming, dimensions:
///
/// ```
/// use plumb_num::{Dim, Interval, LinCons, LinExpr, NumDomain, Octagons};
/// let (d, x, y, z) = (Octagons, Dim(0), Dim(1), Dim(2));
/// let v = LinExpr::var;
/// let e = d.of_constraints(&[LinCons::eq(v(x), 1.into()), LinCons::eq(v(y), 2.into())]);
/// let swapped = d.assign_parallel(&e, &[(x, v(y)), (y, v(x))]);
/// assert_eq!(d.bounds(&swapped, &v(x)), Interval::new(2, 2));
/// let between = d.assign_between(&e, z, Some(&v(x)), Some(&v(y)));
/// assert_eq!(d.bounds(&between, &v(z)), Interval::new(1, 2));
/// let moved = d.rename(&e, &[(x, z)]);
/// assert_eq!(d.support(&moved), [y, z]);
/// assert_eq!(d.support(&d.add_dims(&e, y, 3)), [x, Dim(4)]);
/// assert_eq!(d.support(&d.remove_dims(&e, x, 1)), [Dim(0)]);
/// assert_eq!(d.support(&d.project(&e, &[y])), [y]);
/// ```
///
/// Widening reads the constraints of its left argument and drops those that do not hold in the right one:
///
/// ```
/// use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Octagons};
/// let (d, x, y) = (Octagons, LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
/// let old = d.of_constraints(&[LinCons::eq(x.clone(), 0.into()), LinCons::eq(y.clone(), 0.into())]);
/// let new = d.join(&old, &d.of_constraints(&[LinCons::eq(x.clone(), 1.into()), LinCons::eq(y.clone(), 1.into())]));
/// let w = d.widen(&old, &new);
/// assert!(d.entails(&w, &LinCons::eq(x.clone(), y.clone())) && d.entails(&w, &LinCons::ge(x.clone(), 0.into())));
/// assert_eq!(d.bounds(&w, &x).hi, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Octagons;

#[cfg(test)]
mod tests;
