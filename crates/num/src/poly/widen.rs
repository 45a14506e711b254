//! The standard widening of convex polyhedra.
//!
//! Halbwachs' thesis (1979): of the constraints of the new polyhedron, those stay that could replace a constraint of the old
//! one without changing it, that is, which saturate the same generators of the old polyhedron as one of its own
//! constraints. The result does not depend on how either polyhedron is written down.

use rustc_hash::FxHashSet;

use super::coef::Coef;
use super::dd::{Dd, Side};

/// `old ∇ new` for `old ⊆ new` in the same columns, or `None` if that is `new`. Of `new` the constraints suffice, and the
/// result has no generators: some of the facets of `new` are irredundant together, and they make no further equality.
pub fn h79<T: Coef>(old: &Dd<T>, new: &Dd<T>) -> Option<Dd<T>> {
    let words = old.gens.ray.rows().div_ceil(64).max(1);
    let by_constraint = old.sat.transposed();
    let facets = (0..old.cons.ray.rows()).filter(|&c| !Dd::is_positivity(old.cons.ray.row(c)));
    let patterns: FxHashSet<&[u64]> = facets.map(|c| by_constraint.row(c)).collect();
    let mut kept = Side::new(new.cols());
    kept.lin.append(&new.cons.lin);
    let mut all = true;
    for row in new.cons.ray.iter() {
        let mut saturated = vec![0u64; words];
        let mut count = 0;
        for (g, gen) in old.gens.ray.iter().enumerate() {
            if T::prod_sign(&T::dot(row, gen)) == 0 {
                saturated[g / 64] |= 1 << (g % 64);
                count += 1;
            }
        }
        // An inequality that saturates all of `old` stands for one of its equalities.
        if count == old.gens.ray.rows() || patterns.contains(&saturated[..]) {
            kept.ray.push(row);
        } else if !Dd::is_positivity(row) {
            all = false;
        }
    }
    (!all).then(|| Dd::without_generators(kept))
}
