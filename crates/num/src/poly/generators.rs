//! Generators of a polyhedron: what it is the hull of.

use super::block::Block;
use super::Poly;
use crate::int::Int;
use crate::linear::{Dim, LinExpr};

/// What a generator generates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GeneratorKind {
    /// A vertex (or any point, if there are lines).
    Point,
    /// A direction one can go forever.
    Ray,
    /// A direction one can go forever both ways.
    Line,
}

/// A generator. A dimension the polyhedron does not constrain has a line of its own, which is not listed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Generator {
    /// The kind.
    pub kind: GeneratorKind,
    /// The non-zero coordinates, to be divided by `divisor` for a point.
    pub coords: Vec<(Dim, Int)>,
    /// The common denominator of a point; 1 for rays and lines.
    pub divisor: Int,
}

impl Poly {
    /// The minimal generators, or none if the polyhedron is empty.
    ///
    /// ```
    /// use plumb_num::{Dim, GeneratorKind, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let x = LinExpr::var(Dim(0));
    /// let e = Polyhedra::default().of_constraints(&[LinCons::ge(x, 3.into())]);
    /// let kinds: Vec<_> = e.generators().iter().map(|g| g.kind).collect();
    /// assert_eq!(kinds, [GeneratorKind::Point, GeneratorKind::Ray]);
    /// ```
    pub fn generators(&self) -> Vec<Generator> {
        let Some(blocks) = self.settled() else { return Vec::new() };
        let (lines, rays) = Block::product(&blocks.iter().cloned().collect::<Vec<_>>(), &[]).generators();
        let make = |e: &LinExpr, kind: GeneratorKind| Generator {
            kind,
            coords: e.terms().to_vec(),
            divisor: if kind == GeneratorKind::Point { e.constant_part().clone() } else { Int::ONE },
        };
        let kind = |e: &LinExpr| if e.constant_part().is_zero() { GeneratorKind::Ray } else { GeneratorKind::Point };
        let mut out: Vec<Generator> = rays.iter().map(|e| make(e, kind(e))).collect();
        out.extend(lines.iter().map(|e| make(e, GeneratorKind::Line)));
        out.sort();
        out
    }
}
