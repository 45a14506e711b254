//! Integer points of polyhedra.

use super::block::Block;
use crate::int::Int;
use crate::linear::{Dim, LinExpr, Point};
use crate::rat::Rat;

/// An integer point of a block: a vertex, or a point near the middle or far along the rays, rounded, if one of these is inside;
/// otherwise whatever branch and bound finds.
pub fn integer_point(b: &Block) -> Option<Point> {
    let (_, generators) = b.generators();
    let (points, rays): (Vec<LinExpr>, Vec<LinExpr>) = generators.into_iter().partition(|g| !g.constant_part().is_zero());
    if let Some(v) = points.iter().find(|g| g.constant_part().is_one()) {
        return Some(v.terms().iter().cloned().collect());
    }
    let constraints = b.constraints();
    let count = Int::from(points.len() as u64);
    let middle = |d: Dim| {
        let sum = points.iter().fold(Rat::ZERO, |s, g| &s + &Rat::new(g.coeff(d), g.constant_part().clone()));
        &sum / &Rat::from(count.clone())
    };
    for t in [0i64, 1, 3, 10, 100] {
        let along = |d: Dim| rays.iter().fold(Int::ZERO, |s, r| s + r.coeff(d)) * Int::from(t);
        let round = |d: Dim| (&(&middle(d) + &Rat::from(along(d))) + &Rat::new(Int::ONE, Int::new(2))).floor();
        let candidate: Point = b.dims().iter().map(|d| (*d, round(*d))).collect();
        if constraints.iter().all(|c| c.holds(&candidate)) {
            return Some(candidate);
        }
    }
    crate::integer::point(&constraints)
}
