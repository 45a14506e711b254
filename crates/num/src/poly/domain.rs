//! The domain of polyhedra.

use std::sync::Arc;

use super::any::run;
use super::block::Block;
use super::{ops, sorted, Poly};
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
    pub fn integer() -> Polyhedra {
        Polyhedra { integer: true }
    }

    fn tightened(&self, e: Poly) -> Poly {
        if !self.integer {
            return e;
        }
        let Some(blocks) = &e.blocks else { return e };
        let mut out = Vec::with_capacity(blocks.len());
        for b in blocks {
            match b.apply(&ops::Tighten) {
                None => return Poly::bottom(),
                Some(b) => out.extend(b.split()),
            }
        }
        Poly::from_blocks(out)
    }

    /// Cuts every constraint down to the nearest one with integer points on its boundary, until nothing changes or `rounds` are over.
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
        let r = e.range(expr);
        let at_zero = |v: &Option<Rat>| v.as_ref().is_some_and(|v| v.is_zero());
        match (at_zero(&r.inf), at_zero(&r.sup)) {
            (true, true) => Poly::bottom(),
            (true, false) => self.assume(e, &LinCons::gt(expr.clone(), LinExpr::default())),
            (false, true) => self.assume(e, &LinCons::lt(expr.clone(), LinExpr::default())),
            (false, false) => e.clone(),
        }
    }

    /// Runs an invertible transformation of `x` on the blocks of `x` and `expr`.
    fn transform(&self, e: &Poly, x: Dim, expr: &LinExpr, image: bool) -> Poly {
        let (with, mut rest, free) = e.touched(&sorted(expr.dims().chain([x])));
        if free.contains(&x) {
            return e.clone();
        }
        let merged = Block::product(&with, &free);
        let op = ops::AssignInvertible { dims: merged.dims(), x, expr };
        let moved = if image { merged.apply(&op) } else { merged.apply(&ops::PreimageInvertible(op)) };
        rest.extend(moved.into_iter().flat_map(Block::split));
        Poly::from_blocks(rest)
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
        a.blocks.as_ref().is_some_and(Vec::is_empty)
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
        let (Some(o), Some(n)) = (&old.blocks, &new.blocks) else { return self.meet(old, new) };
        let measure = |bs: &[Block]| bs.iter().map(Block::boundedness).fold((0, 0), |s, m| (s.0 + m.0, s.1 + m.1));
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
        if e.is_empty() || c.is_always() {
            return e.clone();
        }
        if c.kind() == ConsKind::Ne {
            return self.assume_ne(e, c.expr());
        }
        if e.holds(c.expr(), c.kind()) {
            return e.clone();
        }
        self.tightened(e.with_constraints(&[c]))
    }

    fn assume_all(&self, e: &Poly, cs: &[LinCons]) -> Poly {
        if e.is_empty() {
            return e.clone();
        }
        // Constraints that share no block are independent: adding them together would multiply blocks for nothing.
        let convex: Vec<&LinCons> = cs.iter().filter(|c| c.kind() != ConsKind::Ne).collect();
        let mut out = e.clone();
        for group in super::lattice::groups(&[e], &convex) {
            out = out.with_constraints(&group);
            if out.is_empty() {
                return out;
            }
        }
        out = self.tightened(out);
        cs.iter().filter(|c| c.kind() == ConsKind::Ne).fold(out, |e, c| self.assume(&e, c))
    }

    fn assign(&self, e: &Poly, x: Dim, expr: &LinExpr) -> Poly {
        if e.is_empty() {
            return e.clone();
        }
        if !expr.coeff(x).is_zero() {
            return self.transform(e, x, expr, true);
        }
        let without = self.forget(e, &[x]);
        let (with, mut rest, free) = without.touched(&expr.dims().collect::<Vec<_>>());
        rest.extend(Block::product(&with, &free).define(x, expr).split());
        Poly::from_blocks(rest)
    }

    fn preimage_assign(&self, e: &Poly, x: Dim, expr: &LinExpr) -> Poly {
        if e.is_empty() {
            return e.clone();
        }
        if !expr.coeff(x).is_zero() {
            return self.transform(e, x, expr, false);
        }
        if !e.blocks().iter().any(|b| b.column(x).is_some()) {
            return e.clone();
        }
        let equal = e.with_constraints(&[&LinCons::eq(LinExpr::var(x), expr.clone())]);
        self.forget(&equal, &[x])
    }

    fn forget(&self, e: &Poly, dims: &[Dim]) -> Poly {
        let gone_dims = sorted(dims.iter().copied());
        let (with, mut rest, _) = e.touched(&gone_dims);
        if with.is_empty() {
            return e.clone();
        }
        for b in with {
            let gone: Vec<usize> = gone_dims.iter().filter_map(|d| b.column(*d)).collect();
            if gone.len() == b.dims().len() {
                continue;
            }
            let left: Arc<[Dim]> = b.dims().iter().copied().filter(|d| gone_dims.binary_search(d).is_err()).collect();
            if let Some(dd) = run(&ops::Forget(&gone), &[b.dd()]) {
                rest.extend(Block::new(left, dd).split());
            }
        }
        Poly::from_blocks(rest)
    }

    fn rename(&self, e: &Poly, map: &[(Dim, Dim)]) -> Poly {
        let Some(blocks) = &e.blocks else { return e.clone() };
        let mut out = Vec::with_capacity(blocks.len());
        for b in blocks {
            let name = |d: &Dim| map.iter().find(|m| m.0 == *d).map_or(*d, |m| m.1);
            let mut named: Vec<(Dim, usize)> = b.dims().iter().enumerate().map(|(i, d)| (name(d), i + 1)).collect();
            let in_order = named.windows(2).all(|w| w[0].0 < w[1].0);
            named.sort();
            let dims: Arc<[Dim]> = named.iter().map(|n| n.0).collect();
            if in_order {
                out.push(b.relabelled(dims));
                continue;
            }
            let from: Vec<usize> = [0].into_iter().chain(named.iter().map(|n| n.1)).collect();
            out.extend(run(&ops::Permute(&from), &[b.dd()]).map(|dd| Block::new(dims, dd)));
        }
        Poly::from_blocks(out)
    }

    fn bounds(&self, e: &Poly, expr: &LinExpr) -> Interval {
        if e.is_empty() {
            return Interval::empty();
        }
        let r = e.range(expr);
        Interval { lo: r.inf.map(|v| v.ceil()), hi: r.sup.map(|v| v.floor()) }
    }

    fn constraints(&self, e: &Poly) -> Vec<LinCons> {
        match &e.blocks {
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

    fn entails(&self, e: &Poly, c: &LinCons) -> bool {
        if e.is_empty() || c.is_always() {
            return true;
        }
        match c.kind() {
            ConsKind::Ne => self.is_bottom(&self.assume(e, &c.negated())),
            _ if c.is_never() => self.constraints(e).contains(c),
            _ if e.holds(c.expr(), c.kind()) => true,
            // Over the integers a value above -1 is at least 0.
            kind => {
                let r = e.range(c.expr());
                let above = |v: &Rat| *v > Rat::from(-1);
                r.inf.as_ref().is_some_and(above) && (kind == ConsKind::Ge || r.sup.is_some_and(|v| above(&-&v)))
            }
        }
    }

    /// Thresholds must hold for all rational points of the arguments: the result is above both.
    fn widen_up_to(&self, old: &Poly, new: &Poly, thresholds: &[LinCons]) -> Poly {
        let widened = self.widen(old, new);
        if widened.is_empty() {
            return widened;
        }
        let holds = |e: &Poly, c: &LinCons| e.is_empty() || c.is_always() || e.holds(c.expr(), c.kind());
        let kept = thresholds.iter().filter(|c| c.kind() != ConsKind::Ne && !holds(&widened, c) && holds(old, c) && holds(new, c));
        widened.with_constraints(&kept.collect::<Vec<_>>())
    }

    fn sample(&self, e: &Poly) -> Option<Point> {
        let blocks = e.blocks.as_ref()?;
        let mut point = Point::new();
        for b in blocks {
            point.extend(super::sample::integer_point(b)?);
        }
        for d in e.dims() {
            point.entry(d).or_insert(Int::ZERO);
        }
        Some(point)
    }
}
