//! The parts of an element: blocks in canonical form, and parts that wait for it.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::block::Block;
use super::cuts::{Cut, Cuts};
use super::hull::Hull;
use super::loose::{is_hidden, Loose};
use super::Poly;
use crate::linear::{ConsKind, Dim, LinExpr};

/// Blocks and constraints with the meet of which an element is equal.
pub type Constrained<'a> = (Cow<'a, [Block]>, Vec<Arc<(LinExpr, ConsKind)>>);

/// A product of parts over different dimensions.
pub struct Parts {
    /// Blocks that are not empty and cannot be decomposed, sorted by their first dimension.
    pub blocks: Vec<Block>,
    pub loose: Vec<Loose>,
    /// The blocks of the canonical form (`None` is the empty set) if there are loose parts and somebody has asked.
    settled: OnceLock<Option<Vec<Block>>>,
}

/// The parts of an element that an operation is about, and the rest.
#[derive(Default)]
pub struct Touched {
    pub blocks: Vec<Block>,
    pub loose: Vec<Loose>,
    pub rest: (Vec<Block>, Vec<Loose>),
    /// Dimensions that no part has.
    pub free: Vec<Dim>,
}

impl Touched {
    /// The element of the rest and new parts.
    pub fn with(self, blocks: impl IntoIterator<Item = Block>, loose: Option<Loose>) -> Poly {
        let (mut all, mut waiting) = self.rest;
        all.extend(blocks);
        waiting.extend(loose);
        Poly { parts: Some(Parts::new(all, waiting)) }
    }
}

impl Touched {
    /// The element as it is.
    pub fn untouched(self) -> Poly {
        let (mut blocks, mut loose) = self.rest;
        blocks.extend(self.blocks);
        loose.extend(self.loose);
        Poly { parts: Some(Parts::new(blocks, loose)) }
    }
}

impl Parts {
    pub fn new(mut blocks: Vec<Block>, loose: Vec<Loose>) -> Parts {
        if !blocks.is_sorted_by_key(Block::first) {
            blocks.sort_by_key(Block::first);
        }
        Parts { blocks, loose, settled: OnceLock::new() }
    }

    /// A copy, without what waited if it is settled; `None` if that is empty.
    pub fn duplicate(&self) -> Option<Parts> {
        match self.settled.get() {
            Some(known) => known.as_ref().map(|blocks| Parts { blocks: blocks.clone(), loose: Vec::new(), settled: OnceLock::new() }),
            None => Some(Parts { blocks: self.blocks.clone(), loose: self.loose.clone(), settled: OnceLock::new() }),
        }
    }

    /// The dimensions of all parts, sorted: at least those that the element constrains.
    pub fn mentioned(&self) -> Vec<Dim> {
        super::sorted(self.blocks.iter().map(Block::dims).chain(self.loose.iter().map(Loose::dims)).flatten().copied())
    }

    /// Whether some part has the dimension.
    pub fn mentions(&self, d: Dim) -> bool {
        self.blocks.iter().any(|b| b.column(d).is_some()) || self.loose.iter().any(|l| l.has_any(&[d]))
    }

    /// Settles the parts that may be empty.
    pub fn is_empty(&self) -> bool {
        match self.settled.get() {
            Some(known) => known.is_none(),
            None => self.loose.iter().any(|l| matches!(l, Loose::Cuts(c) if c.settle().is_none())),
        }
    }

    /// The canonical form.
    pub fn settle(&self) -> Option<&[Block]> {
        if self.loose.is_empty() {
            return Some(&self.blocks);
        }
        let settled = || {
            let mut out = self.blocks.clone();
            // Emptiness may be found without converting the others.
            for l in self.loose.iter().filter(|l| matches!(l, Loose::Cuts(_))) {
                out.extend_from_slice(l.settle()?);
            }
            for l in self.loose.iter().filter(|l| matches!(l, Loose::Hull(_))) {
                out.extend_from_slice(l.settle()?);
            }
            out.sort_by_key(Block::first);
            Some(out)
        };
        self.settled.get_or_init(settled).as_deref()
    }

    /// The canonical form if nothing waits for it.
    pub fn known(&self) -> Option<&[Block]> {
        match self.settled.get() {
            None if self.loose.is_empty() => Some(&self.blocks),
            Some(known) => known.as_deref(),
            None => None,
        }
    }

    /// Blocks that know their generators, or convert to them, with the product of which the element is equal; `None` if it
    /// is empty.
    pub fn generated(&self) -> Option<Cow<'_, [Block]>> {
        if self.loose.is_empty() {
            return Some(Cow::Borrowed(&self.blocks));
        }
        if let Some(known) = self.settled.get() {
            return known.as_deref().map(Cow::Borrowed);
        }
        let mut out = self.blocks.clone();
        for l in &self.loose {
            match l {
                Loose::Hull(h) if h.settled().is_none() && !h.is_small() => out.push(h.view().clone()),
                l => out.extend_from_slice(l.settle()?),
            }
        }
        out.sort_by_key(Block::first);
        Some(Cow::Owned(out))
    }

    /// Blocks in canonical form and constraints, with the meet of which the element is equal; `None` if it is known to be empty.
    pub fn constrained(&self) -> Option<Constrained<'_>> {
        if self.loose.is_empty() {
            return Some((Cow::Borrowed(&self.blocks), Vec::new()));
        }
        if let Some(known) = self.settled.get() {
            return known.as_deref().map(|bs| (Cow::Borrowed(bs), Vec::new()));
        }
        let (mut out, mut rows) = (self.blocks.clone(), Vec::new());
        for l in &self.loose {
            match l {
                Loose::Cuts(c) if c.settled().is_none() && !c.has_quantified() => {
                    let (factors, cuts) = c.pieces();
                    out.extend_from_slice(factors);
                    for cut in cuts {
                        match cut {
                            Cut::Row(row) => rows.push(row.clone()),
                            Cut::Block(b) => out.push(b.clone()),
                        }
                    }
                }
                l => out.extend_from_slice(l.settle()?),
            }
        }
        out.sort_by_key(Block::first);
        Some((Cow::Owned(out), rows))
    }

    /// What to intersect with to get the meet with `other`; `None` if the element is found empty.
    pub fn as_cut_list(&self, other: &Parts) -> Option<Vec<Cut>> {
        let fresh = |b: &&Block| !other.blocks.iter().any(|x| x.is(b));
        if let Some(known) = self.settled.get() {
            return known.as_ref().map(|bs| bs.iter().filter(fresh).cloned().map(Cut::Block).collect());
        }
        let mut out: Vec<Cut> = self.blocks.iter().filter(fresh).cloned().map(Cut::Block).collect();
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
        let mut found = 0;
        let mut place = |out: &mut Touched, b: &Block| {
            let n = if b.may_have(dims) { dims.iter().filter(|d| b.column(**d).is_some()).count() } else { 0 };
            found += n;
            if n > 0 { &mut out.blocks } else { &mut out.rest.0 }.push(b.clone());
        };
        if let Some(known) = self.settled.get() {
            known.as_ref()?.iter().for_each(|b| place(&mut out, b));
        } else {
            self.blocks.iter().for_each(|b| place(&mut out, b));
            for l in &self.loose {
                let has = l.has_any(dims);
                if l.settled().is_some() || (has && settle(l)) {
                    l.settle()?.iter().for_each(|b| place(&mut out, b));
                } else if has {
                    out.loose.push(l.clone());
                } else {
                    out.rest.1.push(l.clone());
                }
            }
        }
        if found < dims.len() {
            let has = |d: &Dim| out.blocks.iter().any(|b| b.column(*d).is_some()) || out.loose.iter().any(|l| l.has_any(&[*d]));
            out.free = dims.iter().filter(|d| !has(d)).copied().collect();
        }
        Some(out)
    }

    /// Whether `e ⋈ 0` (not `≠`) holds everywhere, if that can be told from generators that are there.
    pub fn known_to_hold(&self, e: &LinExpr, kind: ConsKind) -> bool {
        let at_hand = |blocks: &[Block]| e.dims().all(|d| blocks.iter().all(|b| b.column(d).is_none() || b.is_converted()));
        if self.loose.is_empty() {
            return at_hand(&self.blocks) && super::holds(&self.blocks, e, kind);
        }
        let dims: Vec<Dim> = e.dims().collect();
        let Some(t) = self.touched(&dims, |_| false) else { return true };
        let mut blocks = t.blocks;
        for l in &t.loose {
            match l {
                Loose::Cuts(_) => return false,
                Loose::Hull(h) => blocks.push(h.view().clone()),
            }
        }
        at_hand(&blocks) && super::holds(&blocks, e, kind)
    }

    /// The frequent case of one constraint on one block; otherwise the cuts are given back. `None` is the empty set.
    pub fn with_cut(&self, mut cuts: Vec<Cut>) -> Result<Option<Parts>, Vec<Cut>> {
        let ([Cut::Row(row)], Some(blocks)) = (&cuts[..], self.known()) else { return Err(cuts) };
        let has = |b: &Block| row.0.dims().any(|d| b.column(d).is_some());
        let at = blocks.iter().position(has);
        let touched = at.map(|at| &blocks[at]);
        let Some(cut) = cuts.pop() else { return Err(cuts) };
        let others = || blocks.iter().enumerate().filter(|(i, _)| Some(*i) != at).map(|(_, b)| b.clone());
        match touched {
            Some(b) if cut.within(b.dims()) && !b.is_small() => {
                let loose = vec![Cuts::of_block(b, cut).into()];
                Ok(Some(Parts { blocks: others().collect(), loose, settled: OnceLock::new() }))
            }
            Some(b) if !b.is_small() || (!cut.within(b.dims()) && blocks.iter().filter(|b| cut.shares(b)).count() > 1) => Err(vec![cut]),
            // One small block, or none: with the dimensions that are free it stays as small as it is.
            _ => {
                let free: Vec<Dim> = cut.dims().into_iter().filter(|d| touched.is_none_or(|b| b.column(*d).is_none())).collect();
                let base = touched.map_or_else(|| Block::universe(&free), |b| b.with_free(&free));
                Ok(base.cut(&[cut]).map(|b| Parts::new(others().chain(b.split()).collect(), Vec::new())))
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
    pub fn as_hulls(&self) -> Option<(Vec<Block>, Vec<Arc<Hull>>)> {
        if let Some(known) = self.settled.get() {
            return known.as_ref().map(|bs| (bs.clone(), Vec::new()));
        }
        let (mut blocks, mut hulls) = (self.blocks.clone(), Vec::new());
        for l in &self.loose {
            match l {
                Loose::Hull(h) if h.settled().is_none() => hulls.push(h.clone()),
                l => blocks.extend_from_slice(l.settle()?),
            }
        }
        blocks.sort_by_key(Block::first);
        Some((blocks, hulls))
    }
}
