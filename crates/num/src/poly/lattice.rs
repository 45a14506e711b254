//! Join, meet and widening of products of blocks.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::block::Block;
use super::cuts::Cut;
use super::hull::Hull;
use super::loose::Loose;
use super::parts::Parts;
use super::{dims_of, ops, sorted, Poly};
use crate::linear::Dim;

/// A factor known by generators.
#[derive(Clone)]
enum Generated {
    Block(Block),
    Hull(Arc<Hull>),
}

impl Generated {
    fn dims(&self) -> &[Dim] {
        match self {
            Generated::Block(b) => b.dims(),
            Generated::Hull(h) => h.dims(),
        }
    }

    /// As a hull to which generators can be added.
    fn to_hull(&self) -> Arc<Hull> {
        match self {
            Generated::Block(b) => Arc::new(Hull::of_block(b)),
            Generated::Hull(h) if h.is_full() => {
                let blocks = h.settle();
                let has = dims_of(blocks);
                let free: Vec<Dim> = h.dims().iter().filter(|d| has.binary_search(d).is_err()).copied().collect();
                Arc::new(Hull::of_block(&Block::product(blocks, &free)))
            }
            Generated::Hull(h) => h.clone(),
        }
    }

    fn view(&self) -> &Block {
        match self {
            Generated::Block(b) => b,
            Generated::Hull(h) => h.view(),
        }
    }

    /// The hull of two factors over the same dimensions.
    fn join(&self, other: &Generated) -> Hull {
        // Start from what waits already, or from the side with more generators: those of the other one are added one by one.
        let rank = |g: &Generated| match g {
            Generated::Hull(_) => usize::MAX,
            Generated::Block(b) => {
                b.dd();
                b.generator_count()
            }
        };
        if rank(self) >= rank(other) {
            self.to_hull().join(other.view())
        } else {
            other.to_hull().join(self.view())
        }
    }

    /// The factors of the projection without `gone`.
    fn forget(self, gone: &[Dim]) -> Vec<Generated> {
        let is_gone = |d: Dim| gone.binary_search(&d).is_ok();
        if self.dims().iter().all(|d| !is_gone(*d)) {
            return vec![self];
        }
        if self.dims().iter().all(|d| is_gone(*d)) {
            return Vec::new();
        }
        let blocks = match &self {
            // The dimension will be missing on both sides, so the block may as well be decomposed now.
            Generated::Block(b) => b.forget_where(is_gone),
            Generated::Hull(h) => match h.forget(gone) {
                Some(h) => return vec![Generated::Hull(Arc::new(h))],
                None => h.settle().iter().flat_map(|b| b.forget_where(is_gone)).collect(),
            },
        };
        blocks.into_iter().map(Generated::Block).collect()
    }
}

fn all_dims(parts: &[Generated]) -> Vec<Dim> {
    sorted(parts.iter().flat_map(|p| p.dims().iter().copied()))
}

/// The convex hull.
pub fn join(a: &Poly, b: &Poly) -> Poly {
    // Inclusion needs constraints, at least of the greater side; a hull that waits for them goes on waiting.
    if !a.waits_for_constraints() && !b.waits_for_constraints() {
        if a.included_in(b) {
            return b.clone();
        }
        if b.included_in(a) {
            return a.clone();
        }
    }
    if let (Some(left), Some(right)) = (a.parts.as_ref().and_then(Parts::known), b.parts.as_ref().and_then(Parts::known)) {
        let (mine, theirs) = left.differences(right);
        if let ([x], [y]) = (&mine[..], &theirs[..]) {
            if x.dims() == y.dims() && x.is_small() && y.is_small() {
                return Poly::from_blocks(left.replaced(vec![x.first()], x.hull(y).map_or_else(Vec::new, Block::split)));
            }
        }
    }
    let Some((left, left_hulls)) = a.parts.as_ref().and_then(Parts::as_hulls) else { return b.clone() };
    let Some((right, right_hulls)) = b.parts.as_ref().and_then(Parts::as_hulls) else { return a.clone() };
    let (mine, theirs) = left.differences(&right);
    let shared = left.replaced(mine.iter().map(|b| b.first()).collect(), Vec::new());
    let mut out: Vec<Block> = Vec::new();
    let mut waiting: Vec<Loose> = Vec::new();
    let (both, left_hulls): (Vec<_>, Vec<_>) = left_hulls.into_iter().partition(|h| right_hulls.iter().any(|g| Arc::ptr_eq(g, h)));
    let right_hulls = right_hulls.into_iter().filter(|h| !both.iter().any(|g| Arc::ptr_eq(g, h)));
    let parts = |blocks: Vec<&Block>| blocks.into_iter().cloned().map(Generated::Block).collect::<Vec<_>>();
    let left: Vec<Generated> = parts(mine).into_iter().chain(left_hulls.into_iter().map(Generated::Hull)).collect();
    let right: Vec<Generated> = parts(theirs).into_iter().chain(right_hulls.map(Generated::Hull)).collect();
    waiting.extend(both.into_iter().map(Loose::Hull));
    if let Some((x, y)) = matched(left, right, &mut out) {
        match (&x, &y) {
            (Generated::Block(x), Generated::Block(y)) if x.is_small() && y.is_small() => {
                out.extend(x.hull(y).into_iter().flat_map(Block::split));
            }
            _ => waiting.push(x.join(&y).into()),
        }
    }
    Poly { parts: Some(Parts::new(shared.with(out), waiting)) }
}

/// Brings the two sides of a hull to one factor each over the same dimensions, if they differ at all. Factors that are equal
/// go to `same`; dimensions that only one side constrains are forgotten: their lines are in the hull.
fn matched(mut left: Vec<Generated>, mut right: Vec<Generated>, same: &mut Vec<Block>) -> Option<(Generated, Generated)> {
    loop {
        if let ([x], [y]) = (&left[..], &right[..]) {
            if x.dims() == y.dims() {
                return Some((x.clone(), y.clone()));
            }
        }
        let (dl, dr) = (all_dims(&left), all_dims(&right));
        if dl != dr {
            let missing = |x: &[Dim], y: &[Dim]| x.iter().filter(|d| y.binary_search(d).is_err()).copied().collect::<Vec<_>>();
            let (gone_left, gone_right) = (missing(&dl, &dr), missing(&dr, &dl));
            left = left.into_iter().flat_map(|g| g.forget(&gone_left)).collect();
            right = right.into_iter().flat_map(|g| g.forget(&gone_right)).collect();
            continue;
        }
        let is_block = |g: &Generated| matches!(g, Generated::Block(_));
        if [&left, &right].iter().any(|side| side.len() > 1 && !side.iter().all(is_block)) {
            // Factors have to be multiplied, which is for canonical blocks: there are fewer of them than generators waiting.
            let settle = |g: Generated| match g {
                Generated::Hull(h) => h.settle().iter().cloned().map(Generated::Block).collect(),
                block => vec![block],
            };
            left = left.into_iter().flat_map(settle).collect();
            right = right.into_iter().flat_map(settle).collect();
            continue;
        }
        let product = |side: Vec<Generated>, other: &[Block]| match &side[..] {
            [] => None,
            [one] => Some(one.clone()),
            _ => {
                let blocks: Vec<Block> = blocks_of(&side).into_iter().filter(|b| !other.contains(b)).collect();
                (!blocks.is_empty()).then(|| Generated::Block(Block::product(&blocks, &[])))
            }
        };
        let (lb, rb) = (blocks_of(&left), blocks_of(&right));
        same.extend(lb.iter().filter(|b| rb.contains(b)).cloned());
        return product(left, &rb).zip(product(right, &lb));
    }
}

fn blocks_of(parts: &[Generated]) -> Vec<Block> {
    parts.iter().filter_map(|g| if let Generated::Block(b) = g { Some(b.clone()) } else { None }).collect()
}

/// The intersection.
pub fn meet(a: &Poly, b: &Poly) -> Poly {
    let (Some(left), Some(right)) = (&a.parts, &b.parts) else { return Poly::bottom() };
    let Some(cuts) = right.as_cut_list(left) else { return Poly::bottom() };
    a.with_cuts(cuts)
}

impl Poly {
    /// Whether some part is known only by generators.
    fn waits_for_constraints(&self) -> bool {
        self.parts.as_ref().is_some_and(|p| p.loose.iter().any(|l| matches!(l, Loose::Hull(h) if h.settled().is_none())))
    }

    /// The intersection with all of `cuts`. Those that share no part are independent: adding them together would multiply
    /// blocks for nothing.
    pub(super) fn with_cuts(&self, cuts: Vec<Cut>) -> Poly {
        let Some(parts) = &self.parts else { return self.clone() };
        if cuts.is_empty() {
            return self.clone();
        }
        let mut out = self.clone();
        // Parts made for one group are of no interest to the next ones and need not be walked through by them.
        let mut made: Vec<Loose> = Vec::new();
        for group in grouped(parts, cuts) {
            let dims = sorted(group.iter().flat_map(Cut::dims));
            out = out.with_group(group);
            if let Some(parts) = &mut out.parts {
                let (new, old) = std::mem::take(&mut parts.loose).into_iter().partition(|l| l.has_any(&dims));
                parts.loose = old;
                made.extend::<Vec<Loose>>(new);
            }
        }
        if let Some(parts) = &mut out.parts {
            parts.loose.extend(made);
        }
        out
    }

    /// The intersection with cuts that share parts.
    pub(super) fn with_group(&self, cuts: Vec<Cut>) -> Poly {
        let Some(parts) = &self.parts else { return self.clone() };
        let cuts = match parts.with_cut(cuts) {
            Ok(parts) => return Poly { parts },
            Err(cuts) => cuts,
        };
        let dims = sorted(cuts.iter().flat_map(Cut::dims));
        let Some((mut part, t)) = parts.as_cuts(&dims) else { return Poly::bottom() };
        part.add(cuts);
        if part.waits() {
            t.with([], Some(part.into()))
        } else {
            t.with(part.into_factors(), None)
        }
    }
}

/// The standard widening, for `old ⊑ new`. Components in which the two agree stay.
pub fn widen(old: &Poly, new: &Poly) -> Poly {
    let (Some(before), Some(after)) = (old.settled(), new.settled()) else { return new.clone() };
    let (mine, theirs) = before.differences(after);
    let mut out: Vec<Block> = Vec::new();
    for (left, right) in components(&mine, &theirs) {
        if right.is_empty() {
            continue;
        }
        if left == right {
            out.extend(right);
            continue;
        }
        let (dims, covered) = (dims_of(&left), dims_of(&right));
        let extra: Vec<Dim> = dims.iter().filter(|d| covered.binary_search(d).is_err()).copied().collect();
        let more: Vec<Dim> = covered.iter().filter(|d| dims.binary_search(d).is_err()).copied().collect();
        let (l, r) = (Block::product(&left, &more), Block::constraint_product(&right, &extra));
        match l.apply_constraints(&r, &ops::Widen) {
            None => out.extend(right),
            Some(b) => out.extend(b.split()),
        }
    }
    Poly::from_blocks(after.replaced(theirs.iter().map(|b| b.first()).collect(), out))
}

/// Groups the blocks of both by the dimensions they share.
fn components(a: &[&Block], b: &[&Block]) -> Vec<(Vec<Block>, Vec<Block>)> {
    let all: Vec<(bool, &Block)> = a.iter().map(|x| (true, *x)).chain(b.iter().map(|x| (false, *x))).collect();
    let dims: Vec<&[Dim]> = all.iter().map(|x| x.1.dims()).collect();
    let mut groups: BTreeMap<usize, (Vec<Block>, Vec<Block>)> = BTreeMap::new();
    for ((left, block), root) in all.iter().zip(connected(&dims)) {
        let entry = groups.entry(root).or_default();
        if *left { &mut entry.0 } else { &mut entry.1 }.push((*block).clone());
    }
    groups.into_values().collect()
}

/// Groups cuts that share a dimension, directly or through parts of the element.
fn grouped(parts: &Parts, cuts: Vec<Cut>) -> Vec<Vec<Cut>> {
    if cuts.len() == 1 {
        return vec![cuts];
    }
    let of_cuts: Vec<Vec<Dim>> = cuts.iter().map(Cut::dims).collect();
    let of_parts = parts.blocks.iter().map(Block::dims).chain(parts.loose.iter().map(Loose::dims));
    let sets: Vec<&[Dim]> = of_cuts.iter().map(Vec::as_slice).chain(of_parts).collect();
    let mut out: BTreeMap<usize, Vec<Cut>> = BTreeMap::new();
    for (c, root) in cuts.into_iter().zip(connected(&sets)) {
        out.entry(root).or_default().push(c);
    }
    out.into_values().collect()
}

/// For each set of dimensions the index of the first set it is connected to.
fn connected(sets: &[&[Dim]]) -> Vec<usize> {
    let mut root: Vec<usize> = (0..sets.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    let mut owner: BTreeMap<Dim, usize> = BTreeMap::new();
    for (i, set) in sets.iter().enumerate() {
        for d in *set {
            let j = *owner.entry(*d).or_insert(i);
            let (p, q) = (find(&mut root, i), find(&mut root, j));
            root[p.max(q)] = p.min(q);
        }
    }
    (0..sets.len()).map(|i| find(&mut root, i)).collect()
}
