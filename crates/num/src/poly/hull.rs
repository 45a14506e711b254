//! Generators that wait to be joined.
//!
//! The set is the convex hull of a block and of further generators. Generators are appended, mapped and projected row by
//! row; the constraints are computed when somebody asks. The block keeps its constraints, so that this is then one incremental
//! conversion: a projected dimension stays in the block as a quantified column, and only if there are too many of
//! them the block gives up its constraints and becomes generators like the others.

use std::sync::{Arc, OnceLock};

use super::any::run;
use super::block::Block;
use super::loose::{hidden, is_hidden, MOST_HIDDEN};
use super::ops;
use crate::linear::{Dim, LinExpr};

/// Beyond so many generators a part is settled before more are added: most of them are redundant then.
const MOST_ROWS: usize = 128;

/// Up to so many generators, one incremental conversion costs less than to copy them for a question that needs no constraints:
/// the next one probably does.
const FEW_ROWS: usize = 24;

/// See the module documentation.
#[derive(Debug)]
pub struct Hull {
    /// Sorted.
    dims: Arc<[Dim]>,
    /// Over `dims` and dimensions named by [`hidden`], which are quantified.
    base: Option<Block>,
    /// Over `dims`, of which the generators count. The base or one of these is there.
    more: Vec<Block>,
    view: OnceLock<Block>,
    settled: OnceLock<Vec<Block>>,
}

impl Hull {
    fn new(dims: Arc<[Dim]>, base: Option<Block>, more: Vec<Block>) -> Hull {
        Hull { dims, base, more, view: OnceLock::new(), settled: OnceLock::new() }
    }

    /// A block, nothing waiting.
    pub fn of_block(b: &Block) -> Hull {
        Hull::new(b.shared_dims(), Some(b.clone()), Vec::new())
    }

    pub fn dims(&self) -> &[Dim] {
        &self.dims
    }

    fn rows(&self) -> usize {
        self.base.iter().chain(&self.more).map(Block::generator_count).sum()
    }

    /// Whether no more generators should be added.
    pub fn is_full(&self) -> bool {
        self.rows() >= MOST_ROWS
    }

    /// Whether to settle even where generators suffice.
    pub fn is_small(&self) -> bool {
        self.base.is_some() && self.rows() <= FEW_ROWS
    }

    /// A block with all generators and no constraints.
    pub fn view(&self) -> &Block {
        let make = || {
            let base = self.base.iter().map(|b| b.generators_on(&self.dims));
            Block::all_generators(&base.chain(self.more.iter().cloned()).collect::<Vec<_>>())
        };
        self.view.get_or_init(|| make().unwrap_or_else(|| Block::universe(&self.dims)))
    }

    /// The hull with what a block over the same dimensions generates.
    pub fn join(&self, other: &Block) -> Hull {
        debug_assert_eq!(self.dims(), other.dims());
        let more = self.more.iter().chain([other]).cloned().collect();
        Hull::new(self.dims.clone(), self.base.clone(), more)
    }

    /// The generators besides those of the base, without constraints.
    fn further(&self) -> Option<Block> {
        match &self.more[..] {
            [one] if !one.has_constraints() => Some(one.clone()),
            many => Block::all_generators(many),
        }
    }

    /// The projection without `gone`, not all of its dimensions. `None` if it cannot be left for later.
    pub fn forget(&self, gone: &[Dim]) -> Option<Hull> {
        if self.dims.iter().any(|d| is_hidden(*d)) {
            return None;
        }
        let gone: Vec<Dim> = gone.iter().filter(|d| self.dims.binary_search(d).is_ok()).copied().collect();
        let dims: Arc<[Dim]> = self.dims.iter().copied().filter(|d| !gone.contains(d)).collect();
        let mut more: Vec<Block> = self.more.iter().map(|m| m.generators_on(&dims)).collect();
        let Some(base) = &self.base else { return Some(Hull::new(dims, None, more)) };
        let quantified = base.dims().len() - self.dims.len();
        if quantified + gone.len() <= MOST_HIDDEN {
            let map: Vec<(Dim, Dim)> = gone.iter().enumerate().map(|(i, d)| (*d, hidden(quantified + i))).collect();
            return Some(Hull::new(dims, Some(base.renamed(&map)), more));
        }
        more.push(base.generators_on(&dims));
        Some(Hull::new(dims, None, more))
    }

    /// The image of `x := e`, in which `x` occurs.
    pub fn assign_invertible(&self, x: Dim, e: &LinExpr) -> Hull {
        self.mapped(self.dims.clone(), |b| b.transformed(x, e, true))
    }

    /// The hull with a new dimension that has the value of `e`.
    pub fn define(&self, x: Dim, e: &LinExpr) -> Hull {
        let mut dims = self.dims.to_vec();
        dims.insert(dims.partition_point(|d| *d < x), x);
        self.mapped(dims.into(), |b| b.define(x, e))
    }

    /// The product with the whole space of `extra` (sorted, none of them in the hull).
    pub fn with_free(&self, extra: &[Dim]) -> Hull {
        let mut dims: Vec<Dim> = self.dims.iter().chain(extra).copied().collect();
        dims.sort();
        self.mapped(dims.into(), |b| b.with_free(extra))
    }

    /// The same with other names, none of them that of a quantified dimension.
    pub fn renamed(&self, map: &[(Dim, Dim)]) -> Hull {
        let mut dims: Vec<Dim> = self.dims.iter().map(|d| map.iter().find(|m| m.0 == *d).map_or(*d, |m| m.1)).collect();
        dims.sort();
        self.mapped(dims.into(), |b| b.renamed(map))
    }

    /// The base and the further generators changed, over other dimensions.
    fn mapped(&self, dims: Arc<[Dim]>, f: impl Fn(&Block) -> Block) -> Hull {
        Hull::new(dims, self.base.as_ref().map(&f), self.further().iter().map(&f).collect())
    }

    pub fn settled(&self) -> Option<&[Block]> {
        self.settled.get().map(Vec::as_slice)
    }

    pub fn settle(&self) -> &[Block] {
        self.settled.get_or_init(|| self.convert().map_or_else(Vec::new, Block::split))
    }

    fn convert(&self) -> Option<Block> {
        let quantified: Vec<usize> = match &self.base {
            None => Vec::new(),
            Some(b) => (self.dims.len() + 1..=b.dims().len()).collect(),
        };
        let args: Vec<_> = self.base.iter().chain(&self.more).map(Block::dd).collect();
        run(&ops::Generated { quantified: &quantified, base: self.base.is_some() }, &args).map(|dd| Block::new(self.dims.clone(), dd))
    }
}
