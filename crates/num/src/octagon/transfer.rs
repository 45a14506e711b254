//! Transfer functions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::blocks::{Block, Octagon};
use super::cons::{Lit, OctCons};
use super::{interpolate, lattice, optimum, widening, Octagons};
use crate::dbm::{map, Bound, Size};
use crate::domain::NumDomain;
use crate::int::Int;
use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};

/// Guards with more dimensions than this are used for unary bounds only.
const RELATED: usize = 6;

impl NumDomain for Octagons {
    fn assume(&self, e: &Octagon, c: &LinCons) -> Octagon {
        if e.is_bottom() || c.is_never() {
            return Octagon::bottom();
        }
        match c.kind() {
            _ if c.is_always() => e.clone(),
            ConsKind::Ne => assume_ne(e, c.expr()),
            _ => match OctCons::of_cons(c) {
                Some(cs) => e.add_all(&cs),
                None => c.inequalities().iter().fold(e.clone(), |e, i| assume_general(&e, i.expr())),
            },
        }
    }

    fn assign(&self, e: &Octagon, x: Dim, expr: &LinExpr) -> Octagon {
        if e.is_bottom() {
            return Octagon::bottom();
        }
        let k = expr.constant_part();
        match expr.terms() {
            [(y, c)] if c.abs().is_one() && *y == x => shifted(e, x, c.is_negative(), k),
            [(_, c)] if c.abs().is_one() => related(e, x, expr),
            [] => related(e, x, expr),
            _ => image(e, x, expr),
        }
    }

    fn forget(&self, e: &Octagon, dims: &[Dim]) -> Octagon {
        e.without(&dims.iter().copied().collect())
    }

    fn rename(&self, e: &Octagon, map: &[(Dim, Dim)]) -> Octagon {
        if e.is_bottom() {
            return Octagon::bottom();
        }
        let to: BTreeMap<Dim, Dim> = map.iter().copied().collect();
        let renamed = |b: &Arc<Block>| {
            if !b.dims.iter().any(|d| to.contains_key(d)) {
                return b.clone();
            }
            let mut order: Vec<(Dim, usize)> = b.dims.iter().enumerate().map(|(i, d)| (*to.get(d).unwrap_or(d), i)).collect();
            order.sort_unstable();
            let places: Vec<usize> = order.iter().map(|o| o.1).collect();
            Arc::new(Block { dims: order.iter().map(|o| o.0).collect(), m: map!(&b.m, m => m.select(&places)) })
        };
        Octagon::of_blocks(e.blocks().iter().map(renamed).collect())
    }

    fn bounds(&self, e: &Octagon, expr: &LinExpr) -> Interval {
        if e.is_bottom() {
            return Interval::empty();
        }
        Interval { lo: optimum::upper(e, &-expr.clone()).map(|v| -v), hi: optimum::upper(e, expr) }
    }

    /// The bounds that are not implied by unary ones; two that meet are one equation.
    fn constraints(&self, e: &Octagon) -> Vec<LinCons> {
        if e.is_bottom() {
            return vec![LinCons::never()];
        }
        let mut out = Vec::new();
        for c in e.blocks().iter().flat_map(|b| lattice::block_constraints(b)) {
            let implied = c.u != c.v && e.upper(c.u).zip(e.upper(c.v)).is_some_and(|(a, b)| a + b == c.c);
            let equation = e.sum(c.u.negated(), c.v.negated()).is_some_and(|d| d == -&c.c);
            match (implied, equation) {
                (true, _) => {}
                (false, true) => out.push(LinCons::new(c.to_cons().expr().clone(), ConsKind::Eq)),
                (false, false) => out.push(c.to_cons()),
            }
        }
        out.sort();
        out.dedup();
        out
    }

    fn support(&self, e: &Octagon) -> Vec<Dim> {
        let mut dims: Vec<Dim> = e.blocks().iter().flat_map(|b| b.dims.iter().copied()).collect();
        dims.sort_unstable();
        dims
    }

    fn of_constraints(&self, cs: &[LinCons]) -> Octagon {
        self.assume_all(&self.top(), cs)
    }

    /// Octagonal constraints are added together, so that closure runs once; the others follow, since they profit from the bounds.
    fn assume_all(&self, e: &Octagon, cs: &[LinCons]) -> Octagon {
        let mut together = Vec::new();
        let mut others = Vec::new();
        for c in cs.iter().filter(|c| !c.is_always()) {
            match OctCons::of_cons(c) {
                Some(more) if !c.is_never() => together.extend(more),
                _ => others.push(c),
            }
        }
        others.into_iter().fold(e.add_all(&together), |e, c| self.assume(&e, c))
    }

    fn widen_up_to(&self, old: &Octagon, new: &Octagon, thresholds: &[LinCons]) -> Octagon {
        widening::widen(old, new, thresholds)
    }

    /// Every integer within a tight unary bound extends to a point, so dimensions are fixed one after the other.
    fn sample(&self, e: &Octagon) -> Option<Point> {
        let mut point = Point::new();
        let mut rest = (!e.is_bottom()).then(|| e.clone())?;
        for x in self.support(e) {
            let side = self.bounds(&rest, &LinExpr::var(x));
            let v = side.lo.or(side.hi).unwrap_or(Int::ZERO);
            rest = rest.add_all(&equal(x, &LinExpr::constant(v.clone()))).without(&BTreeSet::from([x]));
            point.insert(x, v);
        }
        Some(point)
    }

    fn interpolate(&self, a: &Octagon, b: &Octagon) -> Option<Vec<LinCons>> {
        if a.is_bottom() {
            return Some(vec![LinCons::never()]);
        }
        if b.is_bottom() {
            return Some(Vec::new());
        }
        interpolate::separating(a, b).or_else(|| crate::interpolate::poly2(self, a, b))
    }
}

/// `x = expr` for an expression `±y + k` or `k`.
fn equal(x: Dim, expr: &LinExpr) -> Vec<OctCons> {
    let c = LinCons::eq(LinExpr::var(x), expr.clone());
    OctCons::of_cons(&c).unwrap_or_default()
}

/// `x := expr` where `expr` is `±y + k` with another `y`, or `k`.
fn related(e: &Octagon, x: Dim, expr: &LinExpr) -> Octagon {
    e.without(&BTreeSet::from([x])).add_all(&equal(x, expr))
}

/// `x := ±x + k`: every bound of `x` moves, none needs closing.
fn shifted(e: &Octagon, x: Dim, negate: bool, k: &Int) -> Octagon {
    let Some((b, at)) = e.find(x) else { return e.clone() };
    let block = &e.blocks()[b];
    let m = block.m.raised(Size::of(k));
    let moved = map!(&*m, m => match (Bound::from_int(k), Bound::from_int(&-k)) {
        (Some(k), Some(minus)) => m.moved(at, negate, &k, &minus),
        _ => unreachable!("the matrix has the size of the constant"),
    });
    let mut blocks = e.blocks().to_vec();
    blocks[b] = Arc::new(Block { dims: block.dims.clone(), m: moved.canonical() });
    Octagon::of_blocks(blocks)
}

/// `x := expr` for any expression: the least bounds of `±expr ± y` for every `y` that shares a block with the expression.
fn image(e: &Octagon, x: Dim, expr: &LinExpr) -> Octagon {
    let blocks: BTreeSet<usize> = expr.dims().filter_map(|d| e.find(d)).map(|p| p.0).collect();
    let mut cs = Vec::new();
    for u in Lit::both(x) {
        let value = if u.neg { -expr.clone() } else { expr.clone() };
        cs.extend(optimum::upper(e, &value).map(|c| OctCons::unary(u, &c)));
        for y in blocks.iter().flat_map(|b| &e.blocks()[*b].dims).filter(|y| **y != x) {
            for v in Lit::both(*y) {
                cs.extend(optimum::upper(e, &(value.clone() + v.expr())).map(|c| OctCons { u, v, c }));
            }
        }
    }
    e.without(&BTreeSet::from([x])).add_all(&cs)
}

/// `expr ≥ 0` in general: `d·(u + v) ≤ d·(u + v) + expr` bounds every octagonal expression over the guard's dimensions, for each
/// `d` that cancels a coefficient.
fn assume_general(e: &Octagon, expr: &LinExpr) -> Octagon {
    if e.is_bottom() || optimum::upper(e, expr).is_some_and(|b| b.is_negative()) {
        return Octagon::bottom();
    }
    let scales: BTreeSet<Int> = expr.terms().iter().map(|t| t.1.abs()).collect();
    let lits: Vec<Lit> = expr.dims().flat_map(Lit::both).collect();
    let mut cs = Vec::new();
    for (i, u) in lits.iter().enumerate() {
        for v in &lits[..=i] {
            if u != v && (u.dim == v.dim || lits.len() > 2 * RELATED) {
                continue;
            }
            let sum = u.expr() + v.expr();
            let bounds = scales.iter().filter_map(|d| Some(optimum::upper(e, &expr.plus_scaled(&sum, d))?.div_floor(d)));
            cs.extend(bounds.min().map(|c| OctCons { u: *u, v: *v, c }));
        }
    }
    e.add_all(&cs)
}

/// `expr ≠ 0`: nothing changes if zero is out of reach; otherwise the join of both sides.
fn assume_ne(e: &Octagon, expr: &LinExpr) -> Octagon {
    let d = Octagons;
    let range = d.bounds(e, expr);
    if !range.contains(&Int::ZERO) {
        return e.clone();
    }
    let zero = LinExpr::default();
    let above = d.assume(e, &LinCons::gt(expr.clone(), zero.clone()));
    let below = d.assume(e, &LinCons::lt(expr.clone(), zero));
    d.join(&above, &below)
}
