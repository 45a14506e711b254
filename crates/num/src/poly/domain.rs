//! The domain of polyhedra.

use std::sync::Arc;

use super::block::Block;
use super::cuts::Cut;
use super::hull::Hull;
use super::loose::{is_hidden, Loose};
use super::parts::{Parts, Touched};
use super::sequence::Blocks;
use super::{holds, ops, range, sorted, Poly};
use crate::domain::NumDomain;
use crate::int::Int;
use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};
use crate::rat::Rat;

/// Closed convex polyhedra. Image and preimage of assignments, `assume` of `≥` and `=`, `forget` and `meet` are exact over the
/// rationals; `join` is the convex hull, `widen` the standard widening.
///
/// ```
/// use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
/// let d = Polyhedra::default();
/// let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
/// let start = d.of_constraints(&[LinCons::eq(x.clone(), 0.into()), LinCons::eq(y.clone(), 0.into())]);
/// // x := x + 1; y := y + 2
/// let step = d.assign(&start, Dim(0), &(x.clone() + 1.into()));
/// let step = d.assign(&step, Dim(1), &(y.clone() + 2.into()));
/// let both = d.join(&start, &step);
/// assert!(d.entails(&both, &LinCons::eq(y.clone(), x.scaled(&2.into()))));
/// let wide = d.widen(&start, &both);
/// assert_eq!(wide, d.of_constraints(&[LinCons::eq(y, x.scaled(&2.into())), LinCons::ge(x, 0.into())]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Polyhedra {
    /// Whether `assume` also tightens derived constraints to the integers (one round per operation). The other operations
    /// never do: `forget` and `join` must not lose rational points, `meet` is that of the order, and convergence of `widen`
    /// depends on it.
    pub integer: bool,
}

impl Polyhedra {
    /// Polyhedra that tighten derived constraints to the integers.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// // A sliver around the segment from (0, 0) to (3/2, 0): x + y ≤ 3/2 follows and is x + y ≤ 1 over the integers.
    /// let cs = [LinCons::le(x.scaled(&2.into()) + y.clone(), 3.into()), LinCons::eq(y, 0.into())];
    /// let sup = |d: Polyhedra| d.of_constraints(&cs).rational_bounds(&x).and_then(|b| b.1).unwrap().to_string();
    /// assert_eq!((sup(Polyhedra::default()), sup(Polyhedra::integer())), ("3/2".into(), "1".into()));
    /// ```
    pub fn integer() -> Polyhedra {
        Polyhedra { integer: true }
    }

    fn tightened(&self, e: Poly) -> Poly {
        if !self.integer {
            return e;
        }
        let Some(blocks) = e.settled() else { return e };
        let mut out = Vec::with_capacity(blocks.len());
        for b in blocks.iter() {
            match b.apply(&ops::Tighten) {
                None => return Poly::bottom(),
                Some(b) => out.extend(b.split()),
            }
        }
        Poly::from_blocks(out)
    }

    /// Cuts every constraint down to the nearest one with integer points on its boundary, until nothing changes or `rounds` are over.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    /// let (d, x, y) = (Polyhedra::default(), LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
    /// // 1/2 ≤ x ≤ 3/4 has no integer point.
    /// let e = d.of_constraints(&[LinCons::eq(x.scaled(&4.into()), y.clone()), LinCons::ge(y.clone(), 2.into()), LinCons::le(y, 3.into())]);
    /// let x_alone = d.project(&e, &[Dim(0)]);
    /// assert!(!x_alone.is_empty() && d.tighten(&x_alone, 3).is_empty());
    /// ```
    pub fn tighten(&self, e: &Poly, rounds: usize) -> Poly {
        let mut e = e.clone();
        for _ in 0..rounds {
            let next = Polyhedra::integer().tightened(e.clone());
            if next == e {
                break;
            }
            e = next;
        }
        e
    }

    fn assume_ne(&self, e: &Poly, expr: &LinExpr) -> Poly {
        let Some(blocks) = e.parts.as_ref().and_then(Parts::generated) else { return Poly::bottom() };
        let r = range(&blocks, expr);
        let at_zero = |v: &Option<Rat>| v.as_ref().is_some_and(|v| v.is_zero());
        match (at_zero(&r.inf), at_zero(&r.sup)) {
            (true, true) => Poly::bottom(),
            (true, false) => self.assume(e, &LinCons::gt(expr.clone(), LinExpr::default())),
            (false, true) => self.assume(e, &LinCons::lt(expr.clone(), LinExpr::default())),
            (false, false) => e.clone(),
        }
    }

    /// Runs an invertible transformation of `x` on the parts of `x` and `expr`.
    fn transform(&self, e: &Poly, x: Dim, expr: &LinExpr, image: bool) -> Poly {
        let Some(parts) = &e.parts else { return e.clone() };
        let dims = sorted(expr.dims().chain([x]));
        let Some(t) = parts.touched(&dims, |_| false) else { return Poly::bottom() };
        if t.free.contains(&x) {
            return e.clone();
        }
        if let ([], [one]) = (&t.blocks[..], &t.loose[..]) {
            let moved = match one {
                Loose::Hull(h) if image && !dims.iter().any(|d| is_hidden(*d)) => {
                    Some(h.with_free(&t.free).assign_invertible(x, expr).into())
                }
                Loose::Cuts(c) => c.transformed(x, expr, image).map(Loose::from),
                Loose::Hull(_) => None,
            };
            if moved.is_some() {
                return t.with([], moved);
            }
        }
        let t = if t.loose.is_empty() { Some(t) } else { parts.touched(&dims, |_| true) };
        let Some(t) = t else { return Poly::bottom() };
        if t.free.contains(&x) {
            return t.untouched();
        }
        let merged = Block::product(&t.blocks, &t.free);
        let moved = merged.transformed(x, expr, image).split();
        t.with(moved, None)
    }
}

impl Lattice for Polyhedra {
    type Elem = Poly;

    fn bottom(&self) -> Poly {
        Poly::bottom()
    }

    fn top(&self) -> Poly {
        Poly::top()
    }

    fn is_bottom(&self, a: &Poly) -> bool {
        a.is_empty()
    }

    fn is_top(&self, a: &Poly) -> bool {
        a.settled().is_some_and(Blocks::is_empty)
    }

    fn leq(&self, a: &Poly, b: &Poly) -> bool {
        a.included_in(b)
    }

    fn join(&self, a: &Poly, b: &Poly) -> Poly {
        super::lattice::join(a, b)
    }

    fn meet(&self, a: &Poly, b: &Poly) -> Poly {
        super::lattice::meet(a, b)
    }

    fn widen(&self, old: &Poly, new: &Poly) -> Poly {
        super::lattice::widen(old, new)
    }

    /// Takes `new` if it has more equalities or bounds more directions than `old`: both numbers can only grow so often.
    fn narrow(&self, old: &Poly, new: &Poly) -> Poly {
        let (Some(o), Some(n)) = (old.settled(), new.settled()) else { return self.meet(old, new) };
        let measure = |bs: &Blocks| bs.iter().map(Block::boundedness).fold((0, 0), |s, m| (s.0 + m.0, s.1 + m.1));
        let (before, after) = (measure(o), measure(n));
        if after.0 > before.0 || after.1 > before.1 {
            new.clone()
        } else {
            old.clone()
        }
    }
}

impl NumDomain for Polyhedra {
    fn assume(&self, e: &Poly, c: &LinCons) -> Poly {
        let Some(parts) = &e.parts else { return e.clone() };
        if c.is_always() {
            return e.clone();
        }
        if c.is_never() {
            return Poly::bottom();
        }
        if c.kind() == ConsKind::Ne {
            return self.assume_ne(e, c.expr());
        }
        if parts.known_to_hold(c.expr(), c.kind()) {
            return e.clone();
        }
        self.tightened(e.with_group(vec![Cut::row(c.expr().clone(), c.kind())]))
    }

    fn assume_all(&self, e: &Poly, cs: &[LinCons]) -> Poly {
        if cs.iter().any(LinCons::is_never) {
            return Poly::bottom();
        }
        let convex = cs.iter().filter(|c| c.kind() != ConsKind::Ne && !c.is_always());
        let out = self.tightened(e.with_cuts(convex.map(|c| Cut::row(c.expr().clone(), c.kind())).collect()));
        cs.iter().filter(|c| c.kind() == ConsKind::Ne).fold(out, |e, c| self.assume(&e, c))
    }

    fn assign(&self, e: &Poly, x: Dim, expr: &LinExpr) -> Poly {
        if !expr.coeff(x).is_zero() {
            return self.transform(e, x, expr, true);
        }
        let without = self.forget(e, &[x]);
        let Some(parts) = &without.parts else { return without };
        let dims: Vec<Dim> = expr.dims().collect();
        let Some(t) = parts.touched(&dims, |_| false) else { return Poly::bottom() };
        match (&t.blocks[..], &t.loose[..]) {
            (_, []) => {
                let defined = Block::product(&t.blocks, &t.free).define(x, expr).split();
                t.with(defined, None)
            }
            ([], [Loose::Hull(h)]) if !is_hidden(x) && !dims.iter().any(|d| is_hidden(*d)) => {
                let defined = h.with_free(&t.free).define(x, expr).into();
                t.with([], Some(defined))
            }
            // The value of a dimension that was free is one more constraint.
            _ => without.with_group(vec![Cut::row(LinExpr::var(x) - expr.clone(), ConsKind::Eq)]),
        }
    }

    fn preimage_assign(&self, e: &Poly, x: Dim, expr: &LinExpr) -> Poly {
        if !expr.coeff(x).is_zero() {
            return self.transform(e, x, expr, false);
        }
        let Some(parts) = &e.parts else { return e.clone() };
        if !parts.mentions(x) {
            return e.clone();
        }
        let Some((part, t)) = parts.as_cuts(&sorted(expr.dims().chain([x]))) else { return Poly::bottom() };
        if part.dims().binary_search(&x).is_err() {
            return e.clone();
        }
        match part.preimage(x, expr) {
            Some(part) => t.with([], Some(part.into())),
            None => {
                let equal = e.with_group(vec![Cut::row(LinExpr::var(x) - expr.clone(), ConsKind::Eq)]);
                self.forget(&equal, &[x])
            }
        }
    }

    fn forget(&self, e: &Poly, dims: &[Dim]) -> Poly {
        let gone = sorted(dims.iter().copied());
        let Some(parts) = &e.parts else { return e.clone() };
        let Some(t) = parts.touched(&gone, |l| matches!(l, Loose::Cuts(_))) else { return Poly::bottom() };
        if t.blocks.is_empty() && t.loose.is_empty() {
            return t.untouched();
        }
        let Touched { blocks, loose, rest, .. } = t;
        let (mut out, mut waiting): (Vec<Block>, Vec<Loose>) = (Vec::new(), Vec::new());
        let is_gone = |d: Dim| gone.binary_search(&d).is_ok();
        let hulls = loose.iter().filter_map(|l| if let Loose::Hull(h) = l { Some(h.clone()) } else { None });
        let mut pending: Vec<Arc<Hull>> = hulls.collect();
        for b in blocks.into_iter().filter(|b| !b.dims().iter().all(|d| is_gone(*d))) {
            match b.forget_defined(is_gone) {
                Some(left) => out.extend(left),
                None if b.is_small() => out.extend(b.forget_where(is_gone)),
                None => pending.push(Arc::new(Hull::of_block(&b))),
            }
        }
        for h in pending.into_iter().filter(|h| !h.dims().iter().all(|d| is_gone(*d))) {
            match h.forget(&gone) {
                Some(left) => waiting.push(left.into()),
                None => out.extend(h.settle().iter().flat_map(|b| b.forget_where(is_gone))),
            }
        }
        rest.with(out, waiting)
    }

    fn rename(&self, e: &Poly, map: &[(Dim, Dim)]) -> Poly {
        let Some(parts) = &e.parts else { return e.clone() };
        let reserved = map.iter().any(|m| is_hidden(m.1));
        if reserved && e.settled().is_none() {
            return Poly::bottom();
        }
        // What is settled is renamed as it is.
        let Some(Poly { parts: Some(parts) }) = parts.touched(&[], |_| reserved).map(Touched::untouched) else { return Poly::bottom() };
        let named = |l: &Loose| match l {
            Loose::Cuts(c) => c.renamed(map).into(),
            Loose::Hull(h) => h.renamed(map).into(),
        };
        let loose = parts.loose.iter().map(named).collect();
        let blocks: Vec<Block> = parts.blocks.iter().map(|b| b.renamed(map)).collect();
        Poly { parts: Some(Parts::new(blocks.into(), loose)) }
    }

    fn bounds(&self, e: &Poly, expr: &LinExpr) -> Interval {
        let Some(blocks) = e.parts.as_ref().and_then(Parts::generated) else { return Interval::empty() };
        let r = range(&blocks, expr);
        Interval { lo: r.inf.map(|v| v.ceil()), hi: r.sup.map(|v| v.floor()) }
    }

    fn constraints(&self, e: &Poly) -> Vec<LinCons> {
        match e.settled() {
            None => vec![LinCons::never()],
            Some(blocks) => {
                let all: Vec<LinCons> = blocks.iter().flat_map(Block::constraints).collect();
                if all.iter().any(LinCons::is_never) {
                    vec![LinCons::never()]
                } else {
                    all
                }
            }
        }
    }

    fn support(&self, e: &Poly) -> Vec<Dim> {
        e.dims()
    }

    fn mentioned(&self, e: &Poly) -> Vec<Dim> {
        e.parts.as_ref().map_or_else(Vec::new, Parts::mentioned)
    }

    fn entails(&self, e: &Poly, c: &LinCons) -> bool {
        if c.is_always() {
            return true;
        }
        let Some(blocks) = e.parts.as_ref().and_then(Parts::generated) else { return true };
        match c.kind() {
            ConsKind::Ne => self.is_bottom(&self.assume(e, &c.negated())),
            _ if c.is_never() => self.constraints(e).contains(c),
            kind if holds(&blocks, c.expr(), kind) => true,
            // Over the integers a value above -1 is at least 0.
            kind => {
                let r = range(&blocks, c.expr());
                let above = |v: &Rat| *v > Rat::from(-1);
                r.inf.as_ref().is_some_and(above) && (kind == ConsKind::Ge || r.sup.is_some_and(|v| above(&-&v)))
            }
        }
    }

    /// Thresholds must hold for all rational points of the arguments: the result is above both.
    fn widen_up_to(&self, old: &Poly, new: &Poly, thresholds: &[LinCons]) -> Poly {
        let widened = self.widen(old, new);
        let within = |e: &Poly, c: &LinCons| {
            c.is_always() || e.parts.as_ref().and_then(Parts::generated).is_none_or(|blocks| holds(&blocks, c.expr(), c.kind()))
        };
        let kept = thresholds.iter().filter(|c| c.kind() != ConsKind::Ne && !within(&widened, c) && within(old, c) && within(new, c));
        widened.with_cuts(kept.map(|c| Cut::row(c.expr().clone(), c.kind())).collect())
    }

    fn sample(&self, e: &Poly) -> Option<Point> {
        let blocks = e.settled()?;
        let mut point = Point::new();
        for b in blocks.iter() {
            point.extend(super::sample::integer_point(b)?);
        }
        for d in e.dims() {
            point.entry(d).or_insert(Int::ZERO);
        }
        Some(point)
    }
}
