//! Order, join, meet.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::blocks::{split, Block, Octagon};
use super::cons::OctCons;
use super::{widening, Octagons};
use crate::dbm::Dbm;
use crate::lattice::Lattice;
use crate::linear::Dim;

impl Lattice for Octagons {
    type Elem = Octagon;

    fn bottom(&self) -> Octagon {
        Octagon::bottom()
    }

    fn top(&self) -> Octagon {
        Octagon::top()
    }

    fn is_bottom(&self, a: &Octagon) -> bool {
        a.is_bottom()
    }

    fn leq(&self, a: &Octagon, b: &Octagon) -> bool {
        if a.is_bottom() || b.is_bottom() {
            return a.is_bottom();
        }
        b.blocks().iter().all(|block| {
            let mine = a.find(block.dims[0]).map(|(i, _)| &a.blocks()[i]);
            match mine {
                None => false,
                Some(m) if Arc::ptr_eq(m, block) => true,
                Some(m) if m.dims == block.dims => Dbm::leq(&m.m, &block.m),
                Some(_) => Dbm::leq(&a.gather(&block.dims), &block.m),
            }
        })
    }

    /// The least octagon around both. Blocks that are the same in both stay as they are; the bounds of the dimensions in all others are compared pair
    /// by pair, since two points may be related where neither of their coordinates are.
    fn join(&self, a: &Octagon, b: &Octagon) -> Octagon {
        if a.is_bottom() || a == b {
            return b.clone();
        }
        if b.is_bottom() {
            return a.clone();
        }
        let same = |x: &Arc<Block>, y: &Arc<Block>| Arc::ptr_eq(x, y) || x == y;
        let common: BTreeSet<Dim> = b
            .blocks()
            .iter()
            .filter(|y| a.blocks().binary_search_by_key(&y.dims[0], |x| x.dims[0]).is_ok_and(|i| same(&a.blocks()[i], y)))
            .map(|y| y.dims[0])
            .collect();
        let differing = |e: &Octagon| -> BTreeSet<Dim> {
            e.blocks().iter().filter(|b| !common.contains(&b.dims[0])).flat_map(|b| b.dims.iter().copied()).collect()
        };
        let dims: Vec<Dim> = differing(a).intersection(&differing(b)).copied().collect();
        let mut blocks: Vec<Arc<Block>> = a.blocks().iter().filter(|b| common.contains(&b.dims[0])).cloned().collect();
        blocks.extend(split(&dims, Dbm::max(&a.gather(&dims), &b.gather(&dims))));
        Octagon::of_blocks(blocks)
    }

    fn meet(&self, a: &Octagon, b: &Octagon) -> Octagon {
        if a.is_bottom() || b.is_bottom() {
            return Octagon::bottom();
        }
        let (few, many) = if a.blocks().len() < b.blocks().len() { (a, b) } else { (b, a) };
        many.add_all(&stored(few))
    }

    fn widen(&self, old: &Octagon, new: &Octagon) -> Octagon {
        widening::widen(old, new, &[])
    }

    fn narrow(&self, old: &Octagon, new: &Octagon) -> Octagon {
        widening::narrow(old, new)
    }
}

/// Every finite bound that a block stores.
pub(super) fn stored(e: &Octagon) -> Vec<OctCons> {
    e.blocks().iter().flat_map(|b| block_constraints(b)).collect()
}

/// Every finite bound of a block, unary bounds first for each dimension.
pub(super) fn block_constraints(b: &Block) -> Vec<OctCons> {
    let lits = b.lits();
    let mut out = Vec::new();
    for (i, u) in lits.iter().enumerate() {
        for (j, v) in lits.iter().enumerate().take(i + 1) {
            if i != j && i / 2 == j / 2 {
                continue;
            }
            if let Some(c) = b.m.sum(j, i) {
                out.push(OctCons { u: *v, v: *u, c });
            }
        }
    }
    out
}
