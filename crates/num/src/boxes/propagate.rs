//! Bound propagation: what a constraint says about each of its dimensions, given the bounds of the others.

use super::{Boxes, IntBox};
use crate::domain::NumDomain;
use crate::int::Int;
use crate::interval::Interval;
use crate::linear::{ConsKind, LinCons, LinExpr};

/// Rounds over an equation. Each is sound; more can only help equations between several dimensions.
const ROUNDS: usize = 8;

pub(super) fn assume(e: &mut IntBox, c: &LinCons) {
    if c.is_never() {
        e.sides = None;
    }
    match c.kind() {
        ConsKind::Ge => ge(e, c.expr()),
        ConsKind::Eq => {
            let negated = -c.expr().clone();
            for _ in 0..ROUNDS {
                let before = e.clone();
                ge(e, c.expr());
                ge(e, &negated);
                if *e == before {
                    break;
                }
            }
        }
        ConsKind::Ne => ne(e, c.expr()),
    }
}

/// `Σ cᵢ·xᵢ + k ≥ 0`. One pass gives the smallest box: the bound of `xᵢ` depends on the other ends of its neighbours only.
fn ge(e: &mut IntBox, expr: &LinExpr) {
    let old = e.clone();
    let mut finite = expr.constant_part().clone();
    let mut infinite = 0;
    for (d, c) in expr.terms() {
        match end(&old.get(*d), !c.is_negative()) {
            Some(v) => finite += &(c * v),
            None => infinite += 1,
        }
    }
    if old.is_bottom() || infinite > 1 {
        return;
    }
    for (d, c) in expr.terms() {
        let side = old.get(*d);
        let rest = match end(&side, !c.is_negative()) {
            Some(v) if infinite == 0 => &finite - &(c * v),
            None => finite.clone(),
            Some(_) => continue,
        };
        // c·x ≥ -rest
        let bound = -&rest;
        let cut = if c.is_negative() {
            Interval { lo: None, hi: Some(bound.div_floor(c)) }
        } else {
            Interval { lo: Some(bound.div_ceil(c)), hi: None }
        };
        e.set(*d, side.intersection(&cut));
    }
    if expr.terms().is_empty() && finite.is_negative() {
        e.sides = None;
    }
}

/// `Σ cᵢ·xᵢ + k ≠ 0`: if all but one dimension are points, an end of the last one may go.
fn ne(e: &mut IntBox, expr: &LinExpr) {
    let mut open = expr.terms().iter().filter(|(d, _)| e.get(*d).as_point().is_none());
    let (last, more) = (open.next(), open.next());
    if more.is_some() || e.is_bottom() {
        return;
    }
    let Some((x, c)) = last else {
        if Boxes.bounds(e, expr).as_point().is_some_and(Int::is_zero) {
            e.sides = None;
        }
        return;
    };
    let rest = expr.substitute(*x, &LinExpr::default());
    let Some(k) = Boxes.bounds(e, &rest).as_point().cloned() else { return };
    if !c.divides(&k) {
        return;
    }
    let hole = -k.div_exact(c);
    let mut side = e.get(*x);
    if side.lo.as_ref() == Some(&hole) {
        side.lo = Some(&hole + &Int::ONE);
    }
    if side.hi.as_ref() == Some(&hole) {
        side.hi = Some(&hole - &Int::ONE);
    }
    e.set(*x, side);
}

fn end(i: &Interval, upper: bool) -> Option<&Int> {
    if upper {
        i.hi.as_ref()
    } else {
        i.lo.as_ref()
    }
}
