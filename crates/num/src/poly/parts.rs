//! The parts of an element: blocks in canonical form, and parts that wait for it.

use std::sync::{Arc, OnceLock};

use super::block::Block;
use super::cuts::{Cut, Cuts};
use super::hull::Hull;
use super::loose::{is_hidden, Loose};
use super::sequence::Blocks;
use super::Poly;
use crate::linear::{ConsKind, Dim, LinExpr};

/// Blocks and constraints with the meet of which an element is equal.
#[derive(Default)]
pub struct Constrained {
    pub blocks: Blocks,
    /// Further blocks, perhaps over the same dimensions.
    pub more: Vec<Block>,
    pub rows: Vec<Arc<(LinExpr, ConsKind)>>,
}

/// A product of parts over different dimensions.
pub struct Parts {
    /// Blocks that are not empty and cannot be decomposed.
    pub blocks: Blocks,
    pub loose: Vec<Loose>,
    /// The blocks of the canonical form (`None` is the empty set) if there are loose parts and somebody has asked.
    settled: OnceLock<Option<Blocks>>,
}

/// The parts of an element that an operation is about, and the rest.
#[derive(Default)]
pub struct Touched {
    /// Blocks over some of the dimensions.
    pub blocks: Vec<Block>,
    /// Parts over some of the dimensions that wait.
    pub loose: Vec<Loose>,
    pub rest: Rest,
    /// Dimensions that no part has.
    pub free: Vec<Dim>,
}

/// What an operation does not touch.
#[derive(Default)]
pub struct Rest {
    /// The blocks without those that begin with `gone`, to be replaced in one go.
    blocks: Blocks,
    gone: Vec<Dim>,
    more: Vec<Block>,
    pub loose: Vec<Loose>,
}

impl Rest {
    /// The element of the rest and new parts.
    pub fn with(mut self, blocks: impl IntoIterator<Item = Block>, loose: impl IntoIterator<Item = Loose>) -> Poly {
        self.more.extend(blocks);
        self.loose.extend(loose);
        Poly { parts: Some(Parts::new(self.blocks.replaced(self.gone, self.more), self.loose)) }
    }
}

impl Touched {
    /// The element of the rest and new parts.
    pub fn with(self, blocks: impl IntoIterator<Item = Block>, loose: Option<Loose>) -> Poly {
        self.rest.with(blocks, loose)
    }

    /// The element as it is.
    pub fn untouched(self) -> Poly {
        self.rest.with(self.blocks, self.loose)
    }
}

impl Parts {
    pub fn new(blocks: Blocks, loose: Vec<Loose>) -> Parts {
        Parts { blocks, loose, settled: OnceLock::new() }
    }

    /// A copy, without what waited if it is settled; `None` if that is empty.
    pub fn duplicate(&self) -> Option<Parts> {
        match self.settled.get() {
            Some(known) => known.as_ref().map(|blocks| Parts::new(blocks.clone(), Vec::new())),
            None => Some(Parts::new(self.blocks.clone(), self.loose.clone())),
        }
    }

    /// The dimensions of all parts, sorted: at least those that the element constrains.
    pub fn mentioned(&self) -> Vec<Dim> {
        super::sorted(self.blocks.iter().map(Block::dims).chain(self.loose.iter().map(Loose::dims)).flatten().copied())
    }

    /// Whether some part has the dimension.
    pub fn mentions(&self, d: Dim) -> bool {
        self.blocks.find(d).is_some() || self.loose.iter().any(|l| l.has_any(&[d]))
    }

    /// Settles the parts that may be empty.
    pub fn is_empty(&self) -> bool {
        match self.settled.get() {
            Some(known) => known.is_none(),
            None => self.loose.iter().any(|l| matches!(l, Loose::Cuts(c) if c.settle().is_none())),
        }
    }

    /// The canonical form.
    pub fn settle(&self) -> Option<&Blocks> {
        if self.loose.is_empty() {
            return Some(&self.blocks);
        }
        let settled = || {
            let mut more = Vec::new();
            // Emptiness may be found without converting the others.
            for l in self.loose.iter().filter(|l| matches!(l, Loose::Cuts(_))) {
                more.extend_from_slice(l.settle()?);
            }
            for l in self.loose.iter().filter(|l| matches!(l, Loose::Hull(_))) {
                more.extend_from_slice(l.settle()?);
            }
            Some(self.blocks.with(more))
        };
        self.settled.get_or_init(settled).as_ref()
    }

    /// The canonical form if nothing waits for it.
    pub fn known(&self) -> Option<&Blocks> {
        match self.settled.get() {
            None if self.loose.is_empty() => Some(&self.blocks),
            Some(known) => known.as_ref(),
            None => None,
        }
    }

    /// Blocks that know their generators, or convert to them, with the product of which the element is equal; `None` if it
    /// is empty.
    pub fn generated(&self) -> Option<Blocks> {
        if self.loose.is_empty() {
            return Some(self.blocks.clone());
        }
        if let Some(known) = self.settled.get() {
            return known.clone();
        }
        let mut more = Vec::new();
        for l in &self.loose {
            match l {
                Loose::Hull(h) if h.settled().is_none() && !h.is_small() => more.push(h.view().clone()),
                l => more.extend_from_slice(l.settle()?),
            }
        }
        Some(self.blocks.with(more))
    }

    /// Blocks in canonical form and constraints, with the meet of which the element is equal; `None` if it is known to be empty.
    pub fn constrained(&self) -> Option<Constrained> {
        if self.loose.is_empty() {
            return Some(Constrained { blocks: self.blocks.clone(), ..Constrained::default() });
        }
        if let Some(known) = self.settled.get() {
            return known.as_ref().map(|blocks| Constrained { blocks: blocks.clone(), ..Constrained::default() });
        }
        let mut out = Constrained { blocks: self.blocks.clone(), ..Constrained::default() };
        for l in &self.loose {
            match l {
                Loose::Cuts(c) if c.settled().is_none() && !c.has_quantified() => {
                    let (factors, cuts) = c.pieces();
                    out.more.extend_from_slice(factors);
                    for cut in cuts {
                        match cut {
                            Cut::Row(row) => out.rows.push(row.clone()),
                            Cut::Block(b) => out.more.push(b.clone()),
                        }
                    }
                }
                l => out.more.extend_from_slice(l.settle()?),
            }
        }
        Some(out)
    }

    /// What to intersect with to get the meet with `other`; `None` if the element is found empty.
    pub fn as_cut_list(&self, other: &Parts) -> Option<Vec<Cut>> {
        let fresh = |blocks: &Blocks| blocks.differences(&other.blocks).0.into_iter().cloned().map(Cut::Block).collect();
        if let Some(known) = self.settled.get() {
            return known.as_ref().map(fresh);
        }
        let mut out: Vec<Cut> = fresh(&self.blocks);
        for l in self.loose.iter().filter(|l| !other.loose.iter().any(|x| x.is(l))) {
            match l {
                Loose::Cuts(c) if c.settled().is_none() && !c.has_quantified() => {
                    let (factors, cuts) = c.pieces();
                    out.extend(factors.iter().cloned().map(Cut::Block));
                    out.extend_from_slice(cuts);
                }
                l => out.extend(l.settle()?.iter().cloned().map(Cut::Block)),
            }
        }
        Some(out)
    }

    /// Separates the parts that have one of `dims` (sorted) from the others. A part that has one and waits is settled if
    /// `settle` says so. `None` if the element is found empty.
    pub fn touched(&self, dims: &[Dim], settle: impl Fn(&Loose) -> bool) -> Option<Touched> {
        let mut out = Touched::default();
        // Blocks of parts that wait for nothing any more.
        let mut more: Vec<Block> = Vec::new();
        let known = match self.settled.get() {
            Some(known) => known.as_ref()?,
            None => {
                for l in &self.loose {
                    let has = l.has_any(dims);
                    if l.settled().is_some() || (has && settle(l)) {
                        more.extend_from_slice(l.settle()?);
                    } else if has {
                        out.loose.push(l.clone());
                    } else {
                        out.rest.loose.push(l.clone());
                    }
                }
                &self.blocks
            }
        };
        let touched = known.having(dims);
        let (mine, others): (Vec<Block>, Vec<Block>) = more.into_iter().partition(|b| dims.iter().any(|d| b.column(*d).is_some()));
        out.rest.blocks = known.clone();
        out.rest.gone = touched.iter().map(|b| b.first()).collect();
        out.rest.more = others;
        out.blocks = touched.into_iter().cloned().chain(mine).collect();
        let has = |d: &Dim| out.blocks.iter().any(|b| b.column(*d).is_some()) || out.loose.iter().any(|l| l.has_any(&[*d]));
        out.free = dims.iter().filter(|d| !has(d)).copied().collect();
        Some(out)
    }

    /// Whether `e ⋈ 0` (not `≠`) holds everywhere, if that can be told from generators that are there.
    pub fn known_to_hold(&self, e: &LinExpr, kind: ConsKind) -> bool {
        let dims: Vec<Dim> = e.dims().collect();
        let at_hand = |blocks: &Blocks| blocks.having(&dims).into_iter().all(Block::is_converted);
        if self.loose.is_empty() {
            return at_hand(&self.blocks) && super::holds(&self.blocks, e, kind);
        }
        let Some(t) = self.touched(&dims, |_| false) else { return true };
        let mut blocks = t.blocks;
        for l in &t.loose {
            match l {
                Loose::Cuts(_) => return false,
                Loose::Hull(h) => blocks.push(h.view().clone()),
            }
        }
        let blocks = Blocks::from(blocks);
        at_hand(&blocks) && super::holds(&blocks, e, kind)
    }

    /// The frequent case of one constraint on one block; otherwise the cuts are given back. `None` is the empty set.
    pub fn with_cut(&self, mut cuts: Vec<Cut>) -> Result<Option<Parts>, Vec<Cut>> {
        let ([Cut::Row(row)], Some(blocks)) = (&cuts[..], self.known()) else { return Err(cuts) };
        let dims: Vec<Dim> = row.0.dims().collect();
        let touched = blocks.having(&dims);
        let Some(cut) = cuts.pop() else { return Err(cuts) };
        match &touched[..] {
            [_, _, ..] => Err(vec![cut]),
            [b] if !b.is_small() && !cut.within(b.dims()) => Err(vec![cut]),
            [b] if !b.is_small() => Ok(Some(Parts::new(blocks.replaced(vec![b.first()], Vec::new()), vec![Cuts::of_block(b, cut).into()]))),
            // One small block, or none: with the dimensions that are free it stays as small as it is.
            small => {
                let b = small.first();
                let free: Vec<Dim> = dims.into_iter().filter(|d| b.is_none_or(|b| b.column(*d).is_none())).collect();
                let base = b.map_or_else(|| Block::universe(&free), |b| b.with_free(&free));
                Ok(base
                    .cut(&[cut])
                    .map(|cut| Parts::new(blocks.replaced(b.map(|b| b.first()).into_iter().collect(), cut.split()), Vec::new())))
            }
        }
    }

    /// The parts that have one of `dims` as one part known by constraints, and the rest. `None` if the element is found empty.
    pub fn as_cuts(&self, dims: &[Dim]) -> Option<(Cuts, Touched)> {
        let reserved = dims.iter().any(|d| is_hidden(*d));
        let mut t = self.touched(dims, |l| match l {
            Loose::Cuts(c) => c.is_full() || (reserved && c.has_quantified()),
            Loose::Hull(_) => true,
        })?;
        let quantified = |l: &Loose| matches!(l, Loose::Cuts(c) if c.has_quantified());
        if t.loose.len() > 1 && t.loose.iter().filter(|l| quantified(l)).count() > 0 {
            t = self.touched(dims, |_| true)?;
        }
        let parts: Vec<Arc<Cuts>> = t.loose.drain(..).filter_map(|l| if let Loose::Cuts(c) = l { Some(c) } else { None }).collect();
        let cuts = Cuts::product(std::mem::take(&mut t.blocks), parts.iter().map(|c| &**c));
        Some((cuts, t))
    }

    /// The blocks and the hulls after everything else has been settled; `None` if that is empty.
    pub fn as_hulls(&self) -> Option<(Blocks, Vec<Arc<Hull>>)> {
        if let Some(known) = self.settled.get() {
            return known.as_ref().map(|bs| (bs.clone(), Vec::new()));
        }
        let (mut more, mut hulls) = (Vec::new(), Vec::new());
        for l in &self.loose {
            match l {
                Loose::Hull(h) if h.settled().is_none() => hulls.push(h.clone()),
                l => more.extend_from_slice(l.settle()?),
            }
        }
        Some((self.blocks.with(more), hulls))
    }
}
