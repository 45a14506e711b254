//! Closed convex polyhedra.
//!
//! An element is a product of [*blocks*](block): the dimensions that some constraint relates are in one block, dimensions that
//! no constraint mentions are in none, so the cost of an operation follows the blocks it touches and not the number
//! of variables (the online decomposition of Singh, Püschel and Vechev, *Fast Polyhedra Abstract Domain*, POPL 2017). In
//! canonical form the decomposition is the finest one and a block is in minimal double description ([`dd`]): equal sets are
//! equal values.
//!
//! Canonical form, emptiness and the other description are computed on first need, once for all clones of the element.
//! Each operation works on the side that suits it and leaves the rest for later:
//! * `assume`, `meet` and preimages pile up constraints ([`cuts`]);
//! * joins, projections and assignments pile up generators ([`hull`]);
//! * renamings and invertible assignments are carried out on whatever is there;
//! * a widening leaves blocks with constraints only, already minimal and decomposed;
//! * inclusion reads the generators of the smaller side and the constraints of the greater one, bounds and entailment read
//!   generators, equality and hashes minimal constraints.
//!
//! Going from one side to the other is what converts, and it is always *incremental*: what has piled up is added to a
//! double description that is kept along. So a chain of guards or a chain of joins and assignments converts once, however
//! long, and never more than it would if every operation converted at once. The exception is measured: a *small* block (of
//! at most eight inequalities, with both sides there) takes a single constraint, a projection or a join with another small one
//! at once, in one incremental step, which costs less than to put it off.
//!
//! Elements are sets of rational points; constraints that come in are tightened to integers by [`LinCons`]. The
//! domain [`Polyhedra`] with `integer` set also tightens what `assume` derives.

mod any;
mod block;
mod coef;
mod convert;
mod cuts;
mod dd;
mod decompose;
mod domain;
mod generators;
mod hull;
mod lattice;
mod loose;
mod mat;
mod minimize;
mod ops;
mod parts;
mod sample;
mod sequence;
mod transform;
mod widen;

use crate::linear::{ConsKind, Dim, LinExpr};
use crate::rat::Rat;
use block::{Block, Range};
pub use domain::Polyhedra;
pub use generators::{Generator, GeneratorKind};
use parts::Parts;
use sequence::Blocks;

/// A closed convex polyhedron.
pub struct Poly {
    /// `None` is the empty set; other elements may be empty, too.
    parts: Option<Parts>,
}

impl Clone for Poly {
    fn clone(&self) -> Self {
        Poly { parts: self.parts.as_ref().and_then(Parts::duplicate) }
    }
}

impl PartialEq for Poly {
    fn eq(&self, other: &Self) -> bool {
        self.settled() == other.settled()
    }
}

impl Eq for Poly {}

impl std::hash::Hash for Poly {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.settled().hash(state);
    }
}

impl Poly {
    /// The empty set.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Poly;
    /// assert!(Poly::bottom().is_empty() && Poly::bottom().rational_constraints().is_none());
    /// ```
    pub fn bottom() -> Poly {
        Poly { parts: None }
    }

    /// The whole space.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Poly;
    /// assert!(!Poly::top().is_empty() && Poly::top().rational_constraints() == Some(vec![]));
    /// ```
    pub fn top() -> Poly {
        Poly::from_blocks(Vec::new())
    }

    /// Whether there is no rational point.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// let e = d.of_constraints(&[LinCons::le(x.clone(), y.clone()), LinCons::le(y.clone(), 0.into())]);
    /// assert!(!e.is_empty() && d.assume(&e, &LinCons::ge(x, 1.into())).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.parts.as_ref().is_none_or(Parts::is_empty)
    }

    /// Computes the canonical form now instead of on first need: emptiness, the finest decomposition, minimal constraints.
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let x = LinExpr::var(Dim(0));
    /// let e = Polyhedra::default().of_constraints(&[LinCons::ge(x.clone(), 3.into()), LinCons::le(x, 2.into())]);
    /// e.minimize();
    /// assert!(e.is_empty());
    /// ```
    pub fn minimize(&self) {
        self.settled();
    }

    /// The dimensions the polyhedron constrains, sorted.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, v) = (Polyhedra::default(), |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::le(v(4), v(2)), LinCons::ge(v(0), 0.into())]);
    /// assert_eq!(e.dims(), [Dim(0), Dim(2), Dim(4)]);
    /// ```
    pub fn dims(&self) -> Vec<Dim> {
        self.settled().map_or_else(Vec::new, |blocks| dims_of(blocks.iter()))
    }

    /// The dimensions of each block.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, v) = (Polyhedra::default(), |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::le(v(0), v(2)), LinCons::le(v(1), v(3))]);
    /// assert_eq!(e.partition(), [[Dim(0), Dim(2)], [Dim(1), Dim(3)]]);
    /// // A relation between the two makes them one block.
    /// assert_eq!(d.assume(&e, &LinCons::le(v(2), v(1))).partition().len(), 1);
    /// ```
    pub fn partition(&self) -> Vec<Vec<Dim>> {
        self.settled().map_or_else(Vec::new, |blocks| blocks.iter().map(|b| b.dims().to_vec()).collect())
    }

    /// The minimal constraints `e ⋈ 0` over the rationals, without integer rounding, in a fixed order; `None` if empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{ConsKind, Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x) = (Polyhedra::default(), LinExpr::var(Dim(0)));
    /// let e = d.of_constraints(&[LinCons::eq(x.scaled(&2.into()), Dim(1).into()), LinCons::ge(Dim(1).into(), 3.into())]);
    /// // x0 ≥ 3/2, which `constraints` would round to x0 ≥ 2.
    /// let half = LinExpr::new([(Dim(0), 2)], -3);
    /// assert_eq!(d.project(&e, &[Dim(0)]).rational_constraints(), Some(vec![(half, ConsKind::Ge)]));
    /// ```
    pub fn rational_constraints(&self) -> Option<Vec<(LinExpr, ConsKind)>> {
        self.settled().map(|bs| bs.iter().flat_map(Block::rows).collect())
    }

    /// The least and the greatest rational value of an expression (`None` for an infinite end), or `None` if empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra, Rat};
    /// let (d, x) = (Polyhedra::default(), LinExpr::var(Dim(0)));
    /// let e = d.of_constraints(&[LinCons::eq(x.scaled(&2.into()), Dim(1).into()), LinCons::ge(Dim(1).into(), 3.into())]);
    /// assert_eq!(e.rational_bounds(&x), Some((Some(Rat::new(3.into(), 2.into())), None)));
    /// ```
    pub fn rational_bounds(&self, expr: &LinExpr) -> Option<(Option<Rat>, Option<Rat>)> {
        let r = range(&self.parts.as_ref()?.generated()?, expr);
        Some((r.inf, r.sup))
    }

    /// The blocks of the canonical form, or `None` if there is no point.
    fn settled(&self) -> Option<&Blocks> {
        self.parts.as_ref()?.settle()
    }

    fn from_blocks(blocks: impl Into<Blocks>) -> Poly {
        Poly { parts: Some(Parts::new(blocks.into(), Vec::new())) }
    }

    fn included_in(&self, other: &Poly) -> bool {
        let Some(mine) = self.parts.as_ref().and_then(Parts::generated) else { return true };
        let Some(theirs) = other.parts.as_ref().and_then(Parts::constrained) else { return false };
        let within = |b: &Block| match mine.find(b.first()) {
            Some(a) if a.is(b) => true,
            Some(a) if a.dims() == b.dims() => a.leq(b),
            // A block constrains each of its dimensions.
            None => false,
            _ => b.rows().iter().all(|(e, kind)| holds(&mine, e, *kind)),
        };
        mine.differences(&theirs.blocks).1.into_iter().chain(&theirs.more).all(within)
            && theirs.rows.iter().all(|row| holds(&mine, &row.0, row.1))
    }
}

/// The dimensions of blocks, sorted.
fn dims_of<'b>(blocks: impl IntoIterator<Item = &'b Block>) -> Vec<Dim> {
    let mut dims: Vec<Dim> = blocks.into_iter().flat_map(|b| b.dims().iter().copied()).collect();
    dims.sort();
    dims
}

/// The range of an expression on a product of blocks: the sum of its ranges on the blocks.
fn range(blocks: &Blocks, expr: &LinExpr) -> Range {
    let k = Rat::from(expr.constant_part().clone());
    let dims: Vec<Dim> = expr.dims().collect();
    let (mut inf, mut sup) = (Some(k.clone()), Some(k));
    let mut covered = 0;
    for b in blocks.having(&dims) {
        covered += dims.iter().filter(|d| b.column(**d).is_some()).count();
        let r = b.range(expr);
        inf = inf.zip(r.inf).map(|(a, b)| &a + &b);
        sup = sup.zip(r.sup).map(|(a, b)| &a + &b);
        if inf.is_none() && sup.is_none() {
            break;
        }
    }
    if covered < dims.len() {
        return Range { inf: None, sup: None };
    }
    Range { inf, sup }
}

/// Whether `e ⋈ 0` (not `≠`) holds everywhere on a product of blocks.
fn holds(blocks: &Blocks, e: &LinExpr, kind: ConsKind) -> bool {
    let Some(first) = e.terms().first() else {
        let k = e.constant_part();
        return k.is_zero() || (kind == ConsKind::Ge && k.is_positive());
    };
    let Some(block) = blocks.find(first.0) else { return false };
    if e.dims().all(|d| block.column(d).is_some()) {
        return block.entails(e, kind);
    }
    let r = range(blocks, e);
    r.inf.is_some_and(|v| v.signum() >= 0) && (kind == ConsKind::Ge || r.sup.is_some_and(|v| v.signum() <= 0))
}

/// The dimensions in order, each once.
fn sorted(dims: impl Iterator<Item = Dim>) -> Vec<Dim> {
    let mut dims: Vec<Dim> = dims.collect();
    if !dims.is_sorted() {
        dims.sort_unstable();
    }
    dims.dedup();
    dims
}

impl std::fmt::Debug for Poly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.rational_constraints() {
            None => write!(f, "false"),
            Some(rows) => {
                f.debug_set().entries(rows.iter().map(|(e, k)| format!("{e} {} 0", if *k == ConsKind::Eq { "=" } else { ">=" }))).finish()
            }
        }
    }
}

#[cfg(test)]
mod lazy;

#[cfg(test)]
mod laws {
    use super::Polyhedra;
    use crate::laws::{Adjoint, Claims};

    // `constraints` rounds to the integers what a rational polyhedron does not.
    crate::laws!(rational, Polyhedra::default(), Claims { adjoint: Adjoint::Signed, linear: false });
    crate::laws!(integer, Polyhedra::integer(), Claims { adjoint: Adjoint::Signed, linear: false });
}
