//! Octagons as products of independent blocks.
//!
//! An element is a product over blocks of related dimensions, each with its own closed matrix, so that every operation costs what
//! the blocks it touches cost (after Singh, Püschel, Vechev, *Making numerical program analysis fast*, PLDI 2015, who keep a coarser partition).
//! The partition is canonical: two dimensions share a block iff a chain of binary bounds links them each of which is stronger than the sum of
//! the two unary bounds. A bound between two blocks is therefore *implied* by the unary ones and never stored. Dimensions without
//! any bound are in no block.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::cons::{Lit, OctCons};
use super::half::{Half, Octagonal};
use super::widening::Basis;
use crate::dbm::{each, map, Bound, Dbm, Size};
use crate::int::Int;
use crate::linear::Dim;

/// Related dimensions, sorted, and their tightly closed matrix in canonical size.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct Block {
    pub(crate) dims: Vec<Dim>,
    pub(crate) m: Dbm<Octagonal>,
}

impl Block {
    fn position(&self, x: Dim) -> Option<usize> {
        self.dims.binary_search(&x).ok()
    }

    /// The literals of the block: sorted by dimension, the positive one first.
    pub(crate) fn lits(&self) -> Vec<Lit> {
        self.dims.iter().flat_map(|d| Lit::both(*d)).collect()
    }
}

/// An octagon: a set of integer points given by constraints `±x ± y ≤ c`, in canonical form.
///
/// Equality and hash are those of the set of points. A result of widening also carries the constraints it was made of, which the
/// next widening reads instead of the closed matrix: without them, closure would bring back what widening dropped, and chains
/// would not end.
#[derive(Clone)]
pub struct Octagon {
    /// Sorted by first dimension; `None` is bottom.
    pub(crate) blocks: Option<Vec<Arc<Block>>>,
    pub(crate) basis: Option<Arc<Basis>>,
}

impl PartialEq for Octagon {
    fn eq(&self, other: &Self) -> bool {
        self.blocks == other.blocks
    }
}

impl Eq for Octagon {}

impl Hash for Octagon {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.blocks.hash(state);
    }
}

impl Octagon {
    pub(crate) fn bottom() -> Octagon {
        Octagon { blocks: None, basis: None }
    }

    pub(crate) fn top() -> Octagon {
        Octagon::of_blocks(Vec::new())
    }

    pub(crate) fn of_blocks(mut blocks: Vec<Arc<Block>>) -> Octagon {
        blocks.sort_by_key(|b| b.dims[0]);
        Octagon { blocks: Some(blocks), basis: None }
    }

    pub(crate) fn is_bottom(&self) -> bool {
        self.blocks.is_none()
    }

    /// The blocks; none for bottom.
    pub(crate) fn blocks(&self) -> &[Arc<Block>] {
        self.blocks.as_deref().unwrap_or(&[])
    }

    /// How many dimensions each independent block relates, in order of their first dimensions.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Octagons};
    /// let (d, v) = (Octagons, |i| LinExpr::var(Dim(i)));
    /// let e = d.of_constraints(&[LinCons::le(v(0), v(2)), LinCons::le(v(1), v(3)), LinCons::ge(v(4), 0.into())]);
    /// assert_eq!(e.block_sizes(), [2, 2, 1]);
    /// ```
    pub fn block_sizes(&self) -> Vec<usize> {
        self.blocks().iter().map(|b| b.dims.len()).collect()
    }

    /// The block of a dimension and the position in it.
    pub(crate) fn find(&self, x: Dim) -> Option<(usize, usize)> {
        self.blocks().iter().enumerate().find_map(|(i, b)| {
            if b.dims[0] > x {
                return None;
            }
            b.position(x).map(|p| (i, p))
        })
    }

    /// The bound of a literal.
    pub(crate) fn upper(&self, u: Lit) -> Option<Int> {
        let (b, p) = self.find(u.dim)?;
        self.blocks()[b].m.upper(2 * p + usize::from(u.neg))
    }

    /// The bound of `u + v`, stored or implied.
    pub(crate) fn sum(&self, u: Lit, v: Lit) -> Option<Int> {
        let ((a, p), (b, q)) = (self.find(u.dim)?, self.find(v.dim)?);
        let (i, j) = (2 * p + usize::from(u.neg), 2 * q + usize::from(v.neg));
        if a == b {
            return self.blocks()[a].m.sum(i, j);
        }
        Some(self.blocks()[a].m.upper(i)? + self.blocks()[b].m.upper(j)?)
    }

    /// The closed matrix on the given sorted dimensions, implied bounds included.
    pub(crate) fn gather(&self, dims: &[Dim]) -> Dbm<Octagonal> {
        let places: Vec<Option<(usize, usize)>> = dims.iter().map(|d| self.find(*d)).collect();
        if let Some((b, _)) = places.first().copied().flatten() {
            let block = &self.blocks()[b];
            if block.dims == dims {
                return block.m.raised(Size::of_len(dims.len())).into_owned();
            }
        }
        let size = places.iter().flatten().map(|p| self.blocks()[p.0].m.size()).max().unwrap_or(Size::Small);
        match Dbm::<Octagonal>::top(dims.len(), size) {
            Dbm::Small(m) => Dbm::Small(self.gather_in(&places, m)),
            Dbm::Wide(m) => Dbm::Wide(self.gather_in(&places, m)),
            Dbm::Big(m) => Dbm::Big(self.gather_in(&places, m)),
        }
    }

    fn gather_in<B: Bound>(&self, places: &[Option<(usize, usize)>], mut out: Half<B>) -> Half<B> {
        let entry = |b: usize, u: usize, v: usize| match &self.blocks()[b].m {
            Dbm::Small(m) => B::from_small(*m.sum(u, v)),
            larger => cast(larger.get(u, v)),
        };
        let upper: Vec<B> =
            (0..2 * places.len()).map(|i| places[i / 2].map_or(B::INF, |(b, p)| entry(b, 2 * p + i % 2, 2 * p + i % 2).half())).collect();
        for (q, place) in places.iter().enumerate() {
            let Some((b, at)) = *place else { continue };
            for (p, other) in places.iter().enumerate().take(q + 1) {
                let Some((a, other_at)) = *other else { continue };
                for (s, t) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let bound = if a == b { entry(b, 2 * other_at + s, 2 * at + t) } else { upper[2 * p + s].sum(&upper[2 * q + t]) };
                    if p != q || s == t {
                        out.set_sum(2 * p + s, 2 * q + t, bound);
                    }
                }
            }
        }
        out
    }

    /// Replaces the blocks of the given dimensions by those of a closed matrix over (at least) all dimensions of these blocks.
    pub(crate) fn scatter(&self, gone: &BTreeSet<usize>, dims: &[Dim], m: Dbm<Octagonal>) -> Octagon {
        let mut blocks: Vec<Arc<Block>> =
            self.blocks().iter().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, b)| b.clone()).collect();
        blocks.extend(split(dims, m));
        Octagon::of_blocks(blocks)
    }

    /// Adds octagonal constraints: the blocks they link are merged, closed and split again.
    pub(crate) fn add_all(&self, cs: &[OctCons]) -> Octagon {
        if self.is_bottom() {
            return Octagon::bottom();
        }
        let news: Vec<&OctCons> = cs.iter().filter(|c| self.sum(c.u, c.v).is_none_or(|b| c.c < b)).collect();
        if news.is_empty() {
            return self.clone();
        }
        let mut out = self.clone();
        for (dims, group) in self.groups(&news) {
            let gone: BTreeSet<usize> = dims.iter().filter_map(|d| out.find(*d)).map(|p| p.0).collect();
            let mut m = out.gather(&dims);
            let at = |u: Lit| 2 * dims.binary_search(&u.dim).unwrap_or(0) + usize::from(u.neg);
            // One pass per constraint against one per dimension.
            let closed = if group.len() < dims.len() {
                group.iter().all(|c| m.add(at(c.u), at(c.v), &c.c))
            } else {
                group.iter().for_each(|c| m.lower(at(c.u), at(c.v), &c.c));
                m.close()
            };
            if !closed {
                return Octagon::bottom();
            }
            out = out.scatter(&gone, &dims, m);
        }
        out.basis = None;
        out
    }

    /// The constraints grouped by the dimensions that become related through them, each group with all dimensions of its blocks.
    fn groups<'a>(&self, cs: &[&'a OctCons]) -> Vec<(Vec<Dim>, Vec<&'a OctCons>)> {
        let mut parent: BTreeMap<Dim, Dim> = BTreeMap::new();
        fn root(parent: &mut BTreeMap<Dim, Dim>, mut x: Dim) -> Dim {
            while let Some(&p) = parent.get(&x).filter(|p| **p != x) {
                let grand = parent.get(&p).copied().unwrap_or(p);
                parent.insert(x, grand);
                x = p;
            }
            parent.entry(x).or_insert(x);
            x
        }
        let mut unite = |x: Dim, y: Dim| {
            let (x, y) = (root(&mut parent, x), root(&mut parent, y));
            parent.insert(x.max(y), x.min(y));
        };
        for c in cs {
            unite(c.u.dim, c.v.dim);
            for x in [c.u.dim, c.v.dim] {
                if let Some((b, _)) = self.find(x) {
                    self.blocks()[b].dims.iter().for_each(|d| unite(x, *d));
                }
            }
        }
        let mut groups: BTreeMap<Dim, (Vec<Dim>, Vec<&OctCons>)> = BTreeMap::new();
        let all: Vec<Dim> = parent.keys().copied().collect();
        for x in all {
            groups.entry(root(&mut parent, x)).or_default().0.push(x);
        }
        for c in cs {
            groups.entry(root(&mut parent, c.u.dim)).or_default().1.push(c);
        }
        groups.into_values().collect()
    }

    /// The element without the given dimensions.
    pub(crate) fn without(&self, dims: &BTreeSet<Dim>) -> Octagon {
        let mut blocks = Vec::with_capacity(self.blocks().len());
        let mut changed = false;
        for b in self.blocks() {
            if !b.dims.iter().any(|d| dims.contains(d)) {
                blocks.push(b.clone());
                continue;
            }
            changed = true;
            let keep: Vec<usize> = (0..b.dims.len()).filter(|i| !dims.contains(&b.dims[*i])).collect();
            let kept: Vec<Dim> = keep.iter().map(|i| b.dims[*i]).collect();
            blocks.extend(split(&kept, map!(&b.m, m => m.select(&keep))));
        }
        if changed && !self.is_bottom() {
            Octagon::of_blocks(blocks)
        } else {
            self.clone()
        }
    }
}

/// Only ever used for the same or a larger size, where it is exact.
fn cast<B: Bound>(a: Option<Int>) -> B {
    a.and_then(|v| B::from_int(&v)).unwrap_or(B::INF)
}

/// The blocks of a closed matrix.
pub(crate) fn split(dims: &[Dim], m: Dbm<Octagonal>) -> Vec<Arc<Block>> {
    let parts = each!(&m, m => m.parts());
    if parts.len() == 1 && parts[0].len() == dims.len() {
        return vec![Arc::new(Block { dims: dims.to_vec(), m: m.canonical() })];
    }
    let block = |part: Vec<usize>| {
        let m = map!(&m, m => m.select(&part));
        Arc::new(Block { dims: part.iter().map(|i| dims[*i]).collect(), m: m.canonical() })
    };
    parts.into_iter().map(block).collect()
}

impl std::fmt::Debug for Octagon {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use crate::domain::NumDomain;
        if self.is_bottom() {
            return write!(f, "bottom");
        }
        f.debug_set().entries(super::Octagons.constraints(self)).finish()
    }
}
