//! Widening and narrowing.
//!
//! Standard octagon widening keeps those bounds of the old element that the new one satisfies. On closed matrices it does not
//! converge, so a widened element remembers the kept bounds (its [`Basis`]), and the next widening filters those: the basis
//! shrinks until nothing changes (Miné 2006, Section 4.4). A pair of dimensions enters the basis, with the bounds that the old element has or implies for it,
//! when one of the two arguments first relates it; before that its bounds follow from the unary ones, so nothing is lost by waiting,
//! and since it enters only once, chains still end.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::blocks::Octagon;
use super::cons::{Lit, OctCons};
use super::lattice::stored;
use crate::linear::{Dim, LinCons};

/// The constraints that a widened element was made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Basis {
    kept: Vec<OctCons>,
    /// The pairs of dimensions whose bounds have been in the basis at some time.
    seen: BTreeSet<(Dim, Dim)>,
}

pub(super) fn widen(old: &Octagon, new: &Octagon, thresholds: &[LinCons]) -> Octagon {
    if old.is_bottom() {
        return new.clone();
    }
    if new.is_bottom() {
        return old.clone();
    }
    let mut basis = match &old.basis {
        Some(basis) => (**basis).clone(),
        None => Basis { kept: unary(old), seen: BTreeSet::new() },
    };
    for (x, y) in old.blocks().iter().chain(new.blocks()).flat_map(|b| pairs(&b.dims)) {
        if basis.seen.insert((x, y)) {
            for u in Lit::both(x) {
                basis.kept.extend(Lit::both(y).into_iter().filter_map(|v| old.sum(u, v).map(|c| OctCons { u, v, c })));
            }
        }
    }
    let holds = |e: &Octagon, c: &OctCons| e.sum(c.u, c.v).is_some_and(|b| b <= c.c);
    basis.kept.retain(|c| holds(new, c));
    for t in thresholds.iter().filter_map(OctCons::of_cons).flatten() {
        if holds(old, &t) && holds(new, &t) && !basis.kept.contains(&t) {
            basis.kept.push(t);
        }
    }
    let mut out = Octagon::top().add_all(&basis.kept);
    out.basis = Some(Arc::new(basis));
    out
}

fn unary(e: &Octagon) -> Vec<OctCons> {
    let dims = e.blocks().iter().flat_map(|b| b.dims.iter().copied());
    dims.flat_map(Lit::both).filter_map(|u| e.upper(u).map(|c| OctCons::unary(u, &c))).collect()
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
