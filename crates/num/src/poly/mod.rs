//! Closed convex polyhedra.
//!
//! An element is a product of [*blocks*](block): the dimensions that some constraint relates are in one block, dimensions that
//! no constraint mentions are in none, so the cost of an operation follows the blocks it touches and not the number
//! of variables (the online decomposition of Singh, Püschel and Vechev, *Fast Polyhedra Abstract Domain*, POPL 2017). The
//! decomposition is always the finest one, and a block is in minimal double description ([`dd`]), so elements
//! are canonical: equal sets are equal values.
//!
//! Conversion between the descriptions is lazy where emptiness and the finest decomposition are known without it:
//! * a widening leaves blocks with constraints only, already minimal and decomposed;
//! * meet and widening read only the constraints of their second argument, so a product of its blocks has no generators;
//! * inclusion reads only the constraints of the greater side, and `constraints` needs no generators.
//!
//! Every other operation asks a block for both sides, which converts it once, also for the elements that share it. `assume`,
//! `meet` and `join` themselves convert at once, and incrementally: whether the result is empty and how it
//! decomposes can be told only from the minimal form.
//!
//! Elements are sets of rational points; constraints that come in are tightened to integers by [`LinCons`]. The
//! domain [`Polyhedra`] with `integer` set also tightens what `assume` derives.

mod any;
mod block;
mod coef;
mod convert;
mod dd;
mod decompose;
mod domain;
mod generators;
mod lattice;
mod mat;
mod minimize;
mod ops;
mod sample;
mod transform;
mod widen;

use crate::linear::{ConsKind, Dim, LinCons, LinExpr};
use crate::rat::Rat;
use block::{Block, Range};
pub use domain::Polyhedra;
pub use generators::{Generator, GeneratorKind};

/// A closed convex polyhedron.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Poly {
    /// `None` is the empty set. Blocks are sorted by their first dimension, disjoint, and cannot be decomposed.
    blocks: Option<Vec<Block>>,
}

impl Poly {
    /// The empty set.
    pub fn bottom() -> Poly {
        Poly { blocks: None }
    }

    /// The whole space.
    pub fn top() -> Poly {
        Poly { blocks: Some(Vec::new()) }
    }

    /// Whether there is no rational point.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_none()
    }

    /// The dimensions the polyhedron constrains, sorted.
    pub fn dims(&self) -> Vec<Dim> {
        let mut dims: Vec<Dim> = self.blocks().iter().flat_map(|b| b.dims().iter().copied()).collect();
        dims.sort();
        dims
    }

    /// The dimensions of each block.
    pub fn partition(&self) -> Vec<Vec<Dim>> {
        self.blocks().iter().map(|b| b.dims().to_vec()).collect()
    }

    /// The minimal constraints `e ⋈ 0` over the rationals, without integer rounding, in a fixed order; `None` if empty.
    pub fn rational_constraints(&self) -> Option<Vec<(LinExpr, ConsKind)>> {
        self.blocks.as_ref().map(|bs| bs.iter().flat_map(Block::rows).collect())
    }

    /// The least and the greatest rational value of an expression (`None` for an infinite end), or `None` if empty.
    pub fn rational_bounds(&self, expr: &LinExpr) -> Option<(Option<Rat>, Option<Rat>)> {
        self.blocks.as_ref()?;
        let r = self.range(expr);
        Some((r.inf, r.sup))
    }

    fn blocks(&self) -> &[Block] {
        self.blocks.as_deref().unwrap_or(&[])
    }

    fn from_blocks(mut blocks: Vec<Block>) -> Poly {
        if !blocks.is_sorted_by_key(Block::first) {
            blocks.sort_by_key(Block::first);
        }
        Poly { blocks: Some(blocks) }
    }

    /// Separates the blocks that have one of `dims` (sorted) from the others, and the dimensions of `dims` that are in no block.
    fn touched(&self, dims: &[Dim]) -> (Vec<Block>, Vec<Block>, Vec<Dim>) {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        let mut found = 0;
        for b in self.blocks() {
            let n = if b.may_have(dims) { dims.iter().filter(|d| b.column(**d).is_some()).count() } else { 0 };
            found += n;
            if n > 0 {
                with.push(b.clone());
            } else {
                without.push(b.clone());
            }
        }
        let free = if found == dims.len() {
            Vec::new()
        } else {
            dims.iter().filter(|d| with.iter().all(|b| b.column(**d).is_none())).copied().collect()
        };
        (with, without, free)
    }

    /// The range of an expression: the sum of its ranges on the blocks. The element is not empty.
    fn range(&self, expr: &LinExpr) -> Range {
        let k = Rat::from(expr.constant_part().clone());
        let (mut inf, mut sup) = (Some(k.clone()), Some(k));
        let mut covered = 0;
        for b in self.blocks() {
            let n = expr.dims().filter(|d| b.column(*d).is_some()).count();
            if n == 0 {
                continue;
            }
            covered += n;
            let r = b.range(expr);
            inf = inf.zip(r.inf).map(|(a, b)| &a + &b);
            sup = sup.zip(r.sup).map(|(a, b)| &a + &b);
            if inf.is_none() && sup.is_none() {
                break;
            }
        }
        if covered < expr.terms().len() && (inf.is_some() || sup.is_some()) {
            return Range { inf: None, sup: None };
        }
        Range { inf, sup }
    }

    /// Whether `e ⋈ 0` (not `≠`) holds everywhere. The element is not empty.
    fn holds(&self, e: &LinExpr, kind: ConsKind) -> bool {
        let Some(first) = e.terms().first() else {
            let k = e.constant_part();
            return k.is_zero() || (kind == ConsKind::Ge && k.is_positive());
        };
        let Some(block) = self.blocks().iter().find(|b| b.column(first.0).is_some()) else { return false };
        if e.dims().all(|d| block.column(d).is_some()) {
            return block.entails(e, kind);
        }
        let r = self.range(e);
        r.inf.is_some_and(|v| v.signum() >= 0) && (kind == ConsKind::Ge || r.sup.is_some_and(|v| v.signum() <= 0))
    }

    fn included_in(&self, other: &Poly) -> bool {
        let Some(mine) = &self.blocks else { return true };
        let Some(theirs) = &other.blocks else { return false };
        // Blocks are sorted, and most of them are often the same objects.
        let mut i = 0;
        theirs.iter().all(|b| {
            while i < mine.len() && mine[i].first() < b.first() {
                i += 1;
            }
            if mine.get(i).is_some_and(|a| a.is(b)) {
                return true;
            }
            match mine.iter().find(|a| a.column(b.first()).is_some()) {
                Some(a) if a.dims() == b.dims() => a.leq(b),
                // A block constrains each of its dimensions.
                None => false,
                _ => b.rows().iter().all(|(e, kind)| self.holds(e, *kind)),
            }
        })
    }

    /// Adds constraints (no `≠`), whatever blocks they touch.
    fn with_constraints(&self, cons: &[&LinCons]) -> Poly {
        let dims = sorted(cons.iter().flat_map(|c| c.expr().dims()));
        if dims.is_empty() {
            return if cons.iter().any(|c| c.is_never()) { Poly::bottom() } else { self.clone() };
        }
        let (with, mut rest, free) = self.touched(&dims);
        let merged = Block::product(&with, &free);
        match merged.apply(&ops::Assume { dims: merged.dims(), cons }) {
            None => Poly::bottom(),
            Some(b) => {
                rest.extend(b.split());
                Poly::from_blocks(rest)
            }
        }
    }
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
mod laws {
    use super::Polyhedra;
    use crate::laws::{Adjoint, Claims};

    // `constraints` rounds to the integers what a rational polyhedron does not.
    crate::laws!(rational, Polyhedra::default(), Claims { adjoint: Adjoint::Signed, linear: false });
    crate::laws!(integer, Polyhedra::integer(), Claims { adjoint: Adjoint::Signed, linear: false });
}
