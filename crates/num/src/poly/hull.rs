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

/// See the module documentation.
#[derive(Debug)]
pub struct Hull {
    /// Sorted.
    dims: Arc<[Dim]>,
    /// Over `dims` and dimensions named by [`hidden`], which are quantified.
    base: Option<Block>,
    /// Over `dims`, without constraints. One of the two is there.
    more: Option<Block>,
    view: OnceLock<Block>,
    settled: OnceLock<Vec<Block>>,
}

impl Hull {
    fn new(dims: Arc<[Dim]>, base: Option<Block>, more: Option<Block>) -> Hull {
        Hull { dims, base, more, view: OnceLock::new(), settled: OnceLock::new() }
    }

    /// A block, nothing waiting.
    pub fn of_block(b: &Block) -> Hull {
        Hull::new(b.dims().into(), Some(b.clone()), None)
    }

    pub fn dims(&self) -> &[Dim] {
        &self.dims
    }

    pub fn is_full(&self) -> bool {
        self.more.as_ref().is_some_and(|m| m.generator_count() >= MOST_ROWS)
    }

    /// A block with all generators and no constraints.
    pub fn view(&self) -> &Block {
        let project = |b: &Block| b.generators_on(&self.dims);
        self.view.get_or_init(|| match (&self.base, &self.more) {
            (None, Some(m)) => m.clone(),
            (Some(b), None) => project(b),
            (Some(b), Some(m)) => m.with_generators(&project(b)),
            (None, None) => Block::universe(&self.dims),
        })
    }

    /// The hull with what a block over the same dimensions generates.
    pub fn join(&self, other: &Block) -> Hull {
        debug_assert_eq!(self.dims(), other.dims());
        let more = match &self.more {
            None => other.generators_on(&self.dims),
            Some(m) => m.with_generators(other),
        };
        Hull::new(self.dims.clone(), self.base.clone(), Some(more))
    }

    /// The projection without `gone`, not all of its dimensions. `None` if it cannot be left for later.
    pub fn forget(&self, gone: &[Dim]) -> Option<Hull> {
        if self.dims.iter().any(|d| is_hidden(*d)) {
            return None;
        }
        let gone: Vec<Dim> = gone.iter().filter(|d| self.dims.binary_search(d).is_ok()).copied().collect();
        let dims: Arc<[Dim]> = self.dims.iter().copied().filter(|d| !gone.contains(d)).collect();
        let more = self.more.as_ref().map(|m| m.generators_on(&dims));
        let Some(base) = &self.base else { return Some(Hull::new(dims, None, more)) };
        let quantified = base.dims().len() - self.dims.len();
        if quantified + gone.len() <= MOST_HIDDEN {
            let map: Vec<(Dim, Dim)> = gone.iter().enumerate().map(|(i, d)| (*d, hidden(quantified + i))).collect();
            return Some(Hull::new(dims, Some(base.renamed(&map)), more));
        }
        let rows = base.generators_on(&dims);
        let more = more.map_or_else(|| rows.clone(), |m| m.with_generators(&rows));
        Some(Hull::new(dims, None, Some(more)))
    }

    /// The image of `x := e`, in which `x` occurs.
    pub fn assign_invertible(&self, x: Dim, e: &LinExpr) -> Hull {
        let moved = |b: &Option<Block>| b.as_ref().map(|b| b.transformed(x, e, true));
        Hull::new(self.dims.clone(), moved(&self.base), moved(&self.more))
    }

    /// The hull with a new dimension that has the value of `e`.
    pub fn define(&self, x: Dim, e: &LinExpr) -> Hull {
        let mut dims = self.dims.to_vec();
        dims.insert(dims.partition_point(|d| *d < x), x);
        let defined = |b: &Option<Block>| b.as_ref().map(|b| b.define(x, e));
        Hull::new(dims.into(), defined(&self.base), defined(&self.more))
    }

    /// The product with the whole space of `extra` (sorted, none of them in the hull).
    pub fn with_free(&self, extra: &[Dim]) -> Hull {
        let mut dims: Vec<Dim> = self.dims.iter().chain(extra).copied().collect();
        dims.sort();
        let wider = |b: &Option<Block>| b.as_ref().map(|b| b.with_free(extra));
        Hull::new(dims.into(), wider(&self.base), wider(&self.more))
    }

    /// The same with other names, none of them that of a quantified dimension.
    pub fn renamed(&self, map: &[(Dim, Dim)]) -> Hull {
        let mut dims: Vec<Dim> = self.dims.iter().map(|d| map.iter().find(|m| m.0 == *d).map_or(*d, |m| m.1)).collect();
        dims.sort();
        let named = |b: &Option<Block>| b.as_ref().map(|b| b.renamed(map));
        Hull::new(dims.into(), named(&self.base), named(&self.more))
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
        let args = [self.base.as_ref(), self.more.as_ref()].into_iter().flatten().map(Block::dd).collect::<Vec<_>>();
        run(&ops::Generated { quantified: &quantified, base: self.base.is_some() }, &args).map(|dd| Block::new(self.dims.clone(), dd))
    }
}
