//! Transfer functions of zones.

use std::collections::BTreeMap;

use super::elem::{difference, Diff, Node, Zone};
use super::Zones;
use crate::dbm::{map, transport};
use crate::domain::NumDomain;
use crate::int::Int;
use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};

/// The least upper bound of the expression, rounded down: its positive terms are matched with its negative ones and the constant zero.
fn upper(e: &Zone, expr: &LinExpr) -> Option<Int> {
    let mut to: Vec<(Node, Int)> = Vec::new();
    let mut from: Vec<(Node, Int)> = Vec::new();
    let mut balance = Int::ZERO;
    for (d, c) in expr.terms() {
        balance += c;
        let side = if c.is_positive() { &mut to } else { &mut from };
        side.push((Some(*d), c.abs()));
    }
    if !balance.is_zero() {
        let side = if balance.is_positive() { &mut from } else { &mut to };
        side.push((None, balance.abs()));
    }
    let cost: Vec<Vec<Option<Int>>> = to.iter().map(|(t, _)| from.iter().map(|(f, _)| e.bound(*f, *t)).collect()).collect();
    let units = |side: &[(Node, Int)]| side.iter().map(|s| s.1.clone()).collect::<Vec<_>>();
    let unary = || {
        expr.terms().iter().try_fold(Int::ZERO, |sum, (d, c)| {
            let b = if c.is_positive() { e.bound(None, Some(*d)) } else { e.bound(Some(*d), None) }?;
            Some(sum + b * c.abs())
        })
    };
    Some(&transport::cheapest(&cost, units(&to), units(&from)).or_else(unary)? + expr.constant_part())
}

impl NumDomain for Zones {
    fn assume(&self, e: &Zone, c: &LinCons) -> Zone {
        if e.is_bottom() || c.is_never() {
            return Zone::bottom();
        }
        match c.kind() {
            _ if c.is_always() => e.clone(),
            ConsKind::Ne if self.bounds(e, c.expr()).contains(&Int::ZERO) => {
                c.cases().iter().fold(Zone::bottom(), |j, side| self.join(&j, &self.assume(e, side)))
            }
            ConsKind::Ne => e.clone(),
            _ => match Diff::of_cons(c) {
                Some(cs) => e.add_all(&cs),
                None => c.inequalities().iter().fold(e.clone(), |e, i| assume_general(&e, i.expr())),
            },
        }
    }

    fn assign(&self, e: &Zone, x: Dim, expr: &LinExpr) -> Zone {
        if e.is_bottom() {
            return Zone::bottom();
        }
        if *expr == LinExpr::var(x) {
            return e.clone();
        }
        // The least bounds of ±(expr - y) for every node y; exact where expr is a difference from one.
        let mut cs = Vec::new();
        for y in std::iter::once(None).chain(e.dims().iter().copied().filter(|y| *y != x).map(Some)) {
            let gap = expr.clone() - difference(y, None);
            cs.extend(upper(e, &gap).map(|c| Diff { from: y, to: Some(x), c }));
            cs.extend(upper(e, &-gap).map(|c| Diff { from: Some(x), to: y, c }));
        }
        if expr.coeff(x).is_zero() {
            // Says nothing new about bounded dimensions, but relates x to one that has no bounds yet.
            cs.extend(Diff::of_cons(&LinCons::eq(LinExpr::var(x), expr.clone())).into_iter().flatten());
        }
        e.without(&[x]).add_all(&cs)
    }

    fn forget(&self, e: &Zone, dims: &[Dim]) -> Zone {
        e.without(dims)
    }

    fn rename(&self, e: &Zone, map: &[(Dim, Dim)]) -> Zone {
        let Some(body) = &e.body else { return Zone::bottom() };
        let to: BTreeMap<Dim, Dim> = map.iter().copied().collect();
        let mut order: Vec<(Dim, usize)> = body.dims.iter().enumerate().map(|(i, d)| (*to.get(d).unwrap_or(d), i)).collect();
        order.sort_unstable();
        let places: Vec<usize> = order.iter().map(|o| o.1).collect();
        Zone::of_matrix(order.iter().map(|o| o.0).collect(), map!(&body.m, m => m.select(&places)))
    }

    fn bounds(&self, e: &Zone, expr: &LinExpr) -> Interval {
        if e.is_bottom() {
            return Interval::empty();
        }
        Interval { lo: upper(e, &-expr.clone()).map(|v| -v), hi: upper(e, expr) }
    }

    /// The bounds that are not the sum of two unary ones; two that meet are one equation.
    fn constraints(&self, e: &Zone) -> Vec<LinCons> {
        if e.is_bottom() {
            return vec![LinCons::never()];
        }
        let mut out = Vec::new();
        for c in e.stored() {
            let binary = c.from.is_some() && c.to.is_some();
            let implied = binary && e.bound(c.from, None).zip(e.bound(None, c.to)).is_some_and(|(a, b)| a + b == c.c);
            let equation = e.bound(c.to, c.from).is_some_and(|d| d == -&c.c);
            if !implied {
                out.push(LinCons::new(c.expr(), if equation { ConsKind::Eq } else { ConsKind::Ge }));
            }
        }
        out.sort();
        out.dedup();
        out
    }

    fn support(&self, e: &Zone) -> Vec<Dim> {
        e.dims().to_vec()
    }

    fn assume_all(&self, e: &Zone, cs: &[LinCons]) -> Zone {
        let mut together = Vec::new();
        let mut others = Vec::new();
        for c in cs.iter().filter(|c| !c.is_always()) {
            match Diff::of_cons(c) {
                Some(more) if !c.is_never() => together.extend(more),
                _ => others.push(c),
            }
        }
        others.into_iter().fold(e.add_all(&together), |e, c| self.assume(&e, c))
    }

    fn widen_up_to(&self, old: &Zone, new: &Zone, thresholds: &[LinCons]) -> Zone {
        super::widen(old, new, thresholds)
    }

    fn sample(&self, e: &Zone) -> Option<Point> {
        let mut point = Point::new();
        let mut rest = (!e.is_bottom()).then(|| e.clone())?;
        for x in self.support(e) {
            let side = self.bounds(&rest, &LinExpr::var(x));
            let v = side.lo.or(side.hi).unwrap_or(Int::ZERO);
            rest = self.forget(&self.assume(&rest, &LinCons::eq(LinExpr::var(x), LinExpr::constant(v.clone()))), &[x]);
            point.insert(x, v);
        }
        Some(point)
    }
}

/// `expr ≥ 0` in general: `d·(to - from) ≤ d·(to - from) + expr` bounds every difference of the guard's nodes, for each `d` that cancels
/// a coefficient.
fn assume_general(e: &Zone, expr: &LinExpr) -> Zone {
    if e.is_bottom() || upper(e, expr).is_some_and(|b| b.is_negative()) {
        return Zone::bottom();
    }
    let mut scales: Vec<Int> = expr.terms().iter().map(|t| t.1.abs()).collect();
    scales.sort();
    scales.dedup();
    let nodes: Vec<Node> = std::iter::once(None).chain(expr.dims().map(Some)).collect();
    let mut cs = Vec::new();
    for from in &nodes {
        for to in nodes.iter().filter(|to| *to != from) {
            let gap = difference(*to, *from);
            let least = scales.iter().filter_map(|d| Some(upper(e, &expr.plus_scaled(&gap, d))?.div_floor(d))).min();
            cs.extend(least.map(|c| Diff { from: *from, to: *to, c }));
        }
    }
    e.add_all(&cs)
}
