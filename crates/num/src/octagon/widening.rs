//! Widening and narrowing.
//!
//! Standard octagon widening keeps those bounds of the old element that the new one satisfies. On closed matrices it does not
//! converge, so a widened element remembers the kept bounds (its *basis*), and the next widening filters those: the basis
//! shrinks until nothing changes (Miné 2006, Section 4.4). Where the old element has no basis it is all its bounds, stored or implied, that can matter.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::blocks::Octagon;
use super::cons::{Lit, OctCons};
use super::lattice::stored;
use crate::linear::{Dim, LinCons};

pub(super) fn widen(old: &Octagon, new: &Octagon, thresholds: &[LinCons]) -> Octagon {
    if old.is_bottom() {
        return new.clone();
    }
    if new.is_bottom() {
        return old.clone();
    }
    let start = match &old.basis {
        Some(basis) => basis.to_vec(),
        None => start(old, new),
    };
    let holds = |e: &Octagon, c: &OctCons| e.sum(c.u, c.v).is_some_and(|b| b <= c.c);
    let mut kept: Vec<OctCons> = start.into_iter().filter(|c| holds(new, c)).collect();
    for t in thresholds.iter().filter_map(OctCons::of_cons).flatten() {
        if holds(old, &t) && holds(new, &t) && !kept.contains(&t) {
            kept.push(t);
        }
    }
    let mut out = Octagon::top().add_all(&kept);
    out.basis = Some(Arc::new(kept));
    out
}

/// The bounds of `old` to start from: over each pair of dimensions that `old` or `new` relates. A bound that is implied in both
/// is kept only if the unary bounds it comes from are.
fn start(old: &Octagon, new: &Octagon) -> Vec<OctCons> {
    let mut out = stored(old);
    let mut known: BTreeSet<(Dim, Dim)> = BTreeSet::new();
    for b in old.blocks() {
        known.extend(pairs(&b.dims));
    }
    for (x, y) in new.blocks().iter().flat_map(|b| pairs(&b.dims)).filter(|p| !known.contains(p)) {
        for u in Lit::both(x) {
            out.extend(Lit::both(y).into_iter().filter_map(|v| old.sum(u, v).map(|c| OctCons { u, v, c })));
        }
    }
    out
}

fn pairs(dims: &[Dim]) -> Vec<(Dim, Dim)> {
    dims.iter().enumerate().flat_map(|(i, x)| dims[i + 1..].iter().map(|y| (*x, *y))).collect()
}

/// Takes from `new` the bounds that `old` does not have at all. Each step that changes anything makes an infinite bound finite.
pub(super) fn narrow(old: &Octagon, new: &Octagon) -> Octagon {
    if old.is_bottom() || new.is_bottom() {
        return Octagon::bottom();
    }
    let missing: Vec<OctCons> = stored(new).into_iter().filter(|c| old.sum(c.u, c.v).is_none()).collect();
    old.add_all(&missing)
}
