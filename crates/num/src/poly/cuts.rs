//! Constraints that wait to be intersected.
//!
//! The set is that of the points of a product of blocks that satisfy further constraints. Nothing is multiplied, converted or
//! tested for emptiness until somebody asks; then all waiting constraints are added to the double description of
//! the blocks in one incremental conversion, minimised once.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::block::Block;
use super::loose::{hidden, is_hidden, MOST_HIDDEN};
use super::sorted;
use crate::linear::{ConsKind, Dim, LinExpr};

/// Beyond so many a part is settled before more are added: copies of the list must stay cheap.
const MOST_CUTS: usize = 64;

/// Up to so many are added in the order they came.
const FEW_CUTS: usize = 8;

/// A product with so many generators is not formed before it is cut.
const MANY_GENERATORS: usize = 128;

/// Something to intersect with.
#[derive(Clone, Debug)]
pub enum Cut {
    /// A constraint `e ⋈ 0` (not `≠`), over the rationals.
    Row(Arc<(LinExpr, ConsKind)>),
    /// A block, of which the constraints suffice.
    Block(Block),
}

impl Cut {
    pub fn row(e: LinExpr, kind: ConsKind) -> Cut {
        Cut::Row(Arc::new((e, kind)))
    }

    /// Calls `f` with each dimension.
    fn each_dim(&self, mut f: impl FnMut(Dim)) {
        match self {
            Cut::Row(r) => r.0.dims().for_each(f),
            Cut::Block(b) => b.dims().iter().for_each(|d| f(*d)),
        }
    }

    /// The dimensions, sorted.
    pub fn dims(&self) -> Vec<Dim> {
        let mut out = Vec::new();
        self.each_dim(|d| out.push(d));
        out
    }

    fn has(&self, d: Dim) -> bool {
        match self {
            Cut::Row(r) => r.0.terms().binary_search_by_key(&d, |t| t.0).is_ok(),
            Cut::Block(b) => b.column(d).is_some(),
        }
    }

    pub fn within(&self, dims: &[Dim]) -> bool {
        let mut all = true;
        self.each_dim(|d| all &= dims.binary_search(&d).is_ok());
        all
    }

    /// The constraints one by one.
    fn rows(&self) -> Vec<(LinExpr, ConsKind)> {
        match self {
            Cut::Row(r) => vec![(**r).clone()],
            Cut::Block(b) => b.rows(),
        }
    }
}

/// See the module documentation.
#[derive(Debug)]
pub struct Cuts {
    /// Sorted, without the quantified ones.
    dims: Vec<Dim>,
    /// Blocks without common dimensions.
    factors: Vec<Block>,
    cuts: Vec<Cut>,
    /// How many dimensions (named by [`hidden`]) are quantified; an equality defines each of them.
    quantified: usize,
    settled: OnceLock<Option<Vec<Block>>>,
}

impl Cuts {
    /// The points of a product of blocks that satisfy all of `cuts`.
    pub fn new(factors: Vec<Block>, cuts: Vec<Cut>) -> Cuts {
        let mut out = Cuts { dims: Vec::new(), factors, cuts: Vec::new(), quantified: 0, settled: OnceLock::new() };
        out.dims = sorted(out.factors.iter().flat_map(|b| b.dims().iter().copied()));
        out.add(cuts);
        out
    }

    /// The product of parts over different dimensions, at most one of which has quantified dimensions.
    pub fn product<'a>(factors: Vec<Block>, parts: impl IntoIterator<Item = &'a Cuts>) -> Cuts {
        let mut out = Cuts::new(factors, Vec::new());
        for p in parts {
            out.dims.extend(&p.dims);
            out.factors.extend_from_slice(&p.factors);
            out.cuts.extend_from_slice(&p.cuts);
            out.quantified += p.quantified;
        }
        out.dims.sort_unstable();
        out
    }

    /// Adds constraints. A block over dimensions that no other factor has becomes a factor.
    pub fn add(&mut self, cuts: Vec<Cut>) {
        for cut in cuts {
            let before = self.dims.len();
            cut.each_dim(|d| {
                if let Err(at) = self.dims.binary_search(&d) {
                    self.dims.insert(at, d);
                }
            });
            match cut {
                Cut::Block(b) if self.factors.contains(&b) => {}
                Cut::Block(b) if self.dims.len() == before + b.dims().len() => self.factors.push(b),
                cut => self.cuts.push(cut),
            }
        }
    }

    /// A block and something to intersect it with, none of whose dimensions are others.
    pub fn of_block(b: &Block, cut: Cut) -> Cuts {
        Cuts { dims: b.dims().to_vec(), factors: vec![b.clone()], cuts: vec![cut], quantified: 0, settled: OnceLock::new() }
    }

    /// Whether it is more than the product of blocks.
    pub fn waits(&self) -> bool {
        !self.cuts.is_empty() || self.quantified > 0
    }

    /// The blocks, which are all if nothing waits.
    pub fn into_factors(self) -> Vec<Block> {
        self.factors
    }

    pub fn dims(&self) -> &[Dim] {
        &self.dims
    }

    pub fn is_full(&self) -> bool {
        self.cuts.len() >= MOST_CUTS
    }

    pub fn has_quantified(&self) -> bool {
        self.quantified > 0
    }

    /// What it is made of; nothing is quantified.
    pub fn pieces(&self) -> (&[Block], &[Cut]) {
        debug_assert_eq!(self.quantified, 0);
        (&self.factors, &self.cuts)
    }

    /// The preimage of `x := e`, in which `x` does not occur: the value of `x` is that of `e`, and what it was is of no account.
    /// `None` if too much is quantified already.
    pub fn preimage(&self, x: Dim, e: &LinExpr) -> Option<Cuts> {
        if self.quantified == MOST_HIDDEN || self.dims.iter().chain(e.dims().collect::<Vec<_>>().iter()).any(|d| is_hidden(*d)) {
            return None;
        }
        let old = hidden(self.quantified);
        let mut out = self.renamed(&[(x, old)]);
        out.dims.retain(|d| *d != old);
        out.quantified += 1;
        out.cuts.push(Cut::row(LinExpr::var(old) - e.clone(), ConsKind::Eq));
        for d in e.dims() {
            if let Err(at) = out.dims.binary_search(&d) {
                out.dims.insert(at, d);
            }
        }
        Some(out)
    }

    /// The image or the preimage of `x := e`, in which `x` occurs, or `None` if that would make factors multiply.
    pub fn transformed(&self, x: Dim, e: &LinExpr, image: bool) -> Option<Cuts> {
        if e.dims().any(|d| self.dims.binary_search(&d).is_err()) {
            return None;
        }
        let mut factors = self.factors.clone();
        let mut it = factors.iter_mut().filter(|b| b.column(x).is_some());
        if let Some(b) = it.next() {
            if e.dims().any(|d| b.column(d).is_none()) {
                return None;
            }
            *b = b.transformed(x, e, image);
        }
        let moved = |(row, kind): (LinExpr, ConsKind)| {
            let row = if image { through_inverse(&row, x, e) } else { row.substitute(x, e) };
            Cut::row(row, kind)
        };
        let cuts = self.cuts.iter().flat_map(Cut::rows).map(moved).collect();
        Some(Cuts { dims: self.dims.clone(), factors, cuts, quantified: self.quantified, settled: OnceLock::new() })
    }

    /// The same with other names, none of them that of a quantified dimension.
    pub fn renamed(&self, map: &[(Dim, Dim)]) -> Cuts {
        let name = |d: Dim| map.iter().find(|m| m.0 == d).map_or(d, |m| m.1);
        let cut = |c: &Cut| match c {
            Cut::Row(r) => Cut::row(r.0.rename(name), r.1),
            Cut::Block(b) => Cut::Block(b.renamed(map)),
        };
        Cuts {
            dims: sorted(self.dims.iter().map(|d| name(*d))),
            factors: self.factors.iter().map(|b| b.renamed(map)).collect(),
            cuts: self.cuts.iter().map(cut).collect(),
            quantified: self.quantified,
            settled: OnceLock::new(),
        }
    }

    pub fn settled(&self) -> Option<Option<&[Block]>> {
        self.settled.get().map(Option::as_deref)
    }

    pub fn settle(&self) -> Option<&[Block]> {
        self.settled.get_or_init(|| self.convert()).as_deref()
    }

    fn convert(&self) -> Option<Vec<Block>> {
        if let [one] = &self.factors[..] {
            if self.quantified == 0 && self.cuts.len() <= FEW_CUTS && one.dims().len() == self.dims.len() {
                return one.cut(&self.cuts).map(Block::split);
            }
        }
        let mut blocks = self.factors.clone();
        let mut waiting = self.in_order();
        while let Some(first) = waiting.first() {
            // Factors are multiplied only where a constraint relates them, and cut before the next one is multiplied with them.
            // A product with dimensions that are free costs nothing.
            let all = blocks.len() <= 1;
            let (mut with, mut rest): (Vec<Block>, Vec<Block>) =
                blocks.into_iter().partition(|b| all || b.dims().iter().any(|d| first.has(*d)));
            let further = without_many_generators(&mut with);
            let dims = if all { sorted(waiting.iter().flat_map(|c| c.dims())) } else { first.dims() };
            let dims = sorted(dims.into_iter().chain(further.iter().flat_map(Cut::dims)));
            let free: Vec<Dim> = dims.into_iter().filter(|d| with.iter().all(|b| b.column(*d).is_none())).collect();
            let merged = Block::product(&with, &free);
            let (mut now, later): (Vec<Cut>, Vec<Cut>) = waiting.into_iter().partition(|c| c.within(merged.dims()));
            now.extend(further);
            rest.extend(merged.cut(&now)?.split());
            (blocks, waiting) = (rest, later);
        }
        if self.quantified > 0 {
            blocks = blocks.into_iter().flat_map(|b| b.forget_where(is_hidden)).collect();
        }
        Some(blocks)
    }

    /// The cuts so that each one, if possible, is about dimensions of those before it: many constraints on separate dimensions
    /// have exponentially many generators until others relate them.
    fn in_order(&self) -> Vec<Cut> {
        if self.cuts.len() <= FEW_CUTS {
            return self.cuts.clone();
        }
        let mut rest: Vec<(Cut, Vec<Dim>)> = self.cuts.iter().map(|c| (c.clone(), c.dims())).collect();
        let mut covered: BTreeSet<Dim> = BTreeSet::new();
        let mut out = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let within = rest.iter().position(|(_, dims)| dims.iter().all(|d| covered.contains(d)));
            let related = || rest.iter().position(|(_, dims)| dims.iter().any(|d| covered.contains(d)));
            let (cut, dims) = rest.remove(within.or_else(related).unwrap_or(0));
            let touched = self.factors.iter().filter(|f| dims.iter().any(|d| f.column(*d).is_some()));
            covered.extend(touched.flat_map(|f| f.dims()));
            covered.extend(dims);
            out.push(cut);
        }
        out
    }
}

/// If the product of the blocks has many generators, leaves one block and gives the others as cuts, to be added after what
/// relates them.
fn without_many_generators(blocks: &mut Vec<Block>) -> Vec<Cut> {
    let size = |b: &Block| if b.is_converted() { b.generator_count() } else { MANY_GENERATORS };
    if blocks.len() <= 1 || blocks.iter().map(size).try_fold(1usize, usize::checked_mul).is_some_and(|n| n < MANY_GENERATORS) {
        return Vec::new();
    }
    let largest = (0..blocks.len()).max_by_key(|&i| size(&blocks[i])).unwrap_or(0);
    blocks.swap(0, largest);
    blocks.drain(1..).map(Cut::Block).collect()
}

/// The row `α·x + β` with `x` replaced by `(x - r)/a`, where `e = a·x + r`, times `|a|`.
fn through_inverse(row: &LinExpr, x: Dim, e: &LinExpr) -> LinExpr {
    let alpha = row.coeff(x);
    if alpha.is_zero() {
        return row.clone();
    }
    let a = e.coeff(x);
    let rest = |e: &LinExpr, k: &crate::Int| e.plus_scaled(&LinExpr::var(x), &-k);
    let difference = LinExpr::var(x) - rest(e, &a);
    let signed = if a.is_negative() { -&alpha } else { alpha.clone() };
    rest(row, &alpha).scaled(&a.abs()).plus_scaled(&difference, &signed)
}
