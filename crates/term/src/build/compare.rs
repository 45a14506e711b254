//! Equality and order.
//!
//! Comparisons of integers take one shape: common parts cancelled, coefficients divided by their greatest common divisor
//! (the constant rounded: integers), atoms with positive coefficients on the left, the others and the constant on the
//! right; a side without atoms is a constant.

use crate::build::linear::Sum;
use crate::node::{Kind, Term};
use crate::range::Range;
use crate::ty::Sort;
use dashu_int::ops::{DivRemEuclid, Gcd};
use dashu_int::IBig;

/// How deep constants are pushed into `ite`s of a comparison.
const ITE_DEPTH: u32 = 8;

impl Term {
    /// Equality of terms of one sort (Bool, Int or memory).
    #[must_use]
    pub fn equals(self, o: Term) -> Term {
        if self == o {
            return Term::tt();
        }
        match self.sort() {
            Sort::Bool => match (self.as_bool(), o.as_bool()) {
                (Some(true), _) => o,
                (Some(false), _) => o.not(),
                (_, Some(true)) => self,
                (_, Some(false)) => self.not(),
                _ if self.not() == o => Term::ff(),
                _ => Term::intern(Kind::Eq(self.min(o), self.max(o))),
            },
            Sort::Int => int_eq(self, o),
            _ => Term::intern(Kind::Eq(self.min(o), self.max(o))),
        }
    }

    /// Disequality.
    #[must_use]
    pub fn differs(self, o: Term) -> Term {
        self.equals(o).not()
    }

    /// `self ≤ o` on integers.
    #[must_use]
    pub fn less_eq(self, o: Term) -> Term {
        let mut s = Sum::of(self);
        s.add(&IBig::NEG_ONE, o);
        let (constant, mut parts) = s.parts();
        if parts.is_empty() {
            return Term::bool(constant <= IBig::ZERO);
        }
        let range = parts.iter().fold(Range::of_value(&constant), |r, (k, a)| r.plus(a.range().scale(k)));
        if range.hi.is_some_and(|h| h <= 0) {
            return Term::tt();
        }
        if range.lo.is_some_and(|l| l > 0) {
            return Term::ff();
        }
        // Σ parts ≤ bound
        let mut bound = -constant;
        let g = content(&parts);
        if g != IBig::ONE {
            for p in &mut parts {
                p.0 = &p.0 / &g;
            }
            bound = bound.div_rem_euclid(&g).0;
        }
        let (left, right) = split(parts, bound);
        push_ite(left, right, ITE_DEPTH, |a, b| a <= b).unwrap_or_else(|| Term::intern(Kind::Le(left, right)))
    }

    /// `self < o` on integers.
    #[must_use]
    pub fn less(self, o: Term) -> Term {
        self.plus(1).less_eq(o)
    }

    /// `self ≥ o` on integers.
    #[must_use]
    pub fn greater_eq(self, o: Term) -> Term {
        o.less_eq(self)
    }

    /// `self > o` on integers.
    #[must_use]
    pub fn greater(self, o: Term) -> Term {
        o.less(self)
    }

    /// That an integer lies in a range.
    #[must_use]
    pub fn in_range(self, r: Range) -> Term {
        let lo = r.lo.map_or_else(Term::tt, |lo| Term::int(lo).less_eq(self));
        lo.and(r.hi.map_or_else(Term::tt, |hi| self.less_eq(Term::int(hi))))
    }

    /// `lo ≤ self ≤ hi`.
    pub fn within(self, lo: &IBig, hi: &IBig) -> Term {
        Term::int(lo.clone()).less_eq(self).and(self.less_eq(Term::int(hi.clone())))
    }
}

fn content(parts: &[(IBig, Term)]) -> IBig {
    let mut g = IBig::ZERO;
    for (k, _) in parts {
        if g == IBig::ONE {
            break;
        }
        g = if g == IBig::ZERO { k.clone() } else { IBig::from((&g).gcd(k)) };
    }
    if g < IBig::ZERO {
        -g
    } else {
        g
    }
}

/// `Σ parts ≤ bound` (or `=`) as a pair of sides.
fn split(parts: Vec<(IBig, Term)>, bound: IBig) -> (Term, Term) {
    let (pos, neg): (Vec<_>, Vec<_>) = parts.into_iter().partition(|p| p.0 > IBig::ZERO);
    let neg: Vec<_> = neg.into_iter().map(|(k, t)| (-k, t)).collect();
    if pos.is_empty() {
        (Term::int(-bound), Term::linear(IBig::ZERO, neg))
    } else {
        (Term::linear(IBig::ZERO, pos), Term::linear(bound, neg))
    }
}

fn int_eq(a: Term, b: Term) -> Term {
    let mut s = Sum::of(a);
    s.add(&IBig::NEG_ONE, b);
    let (constant, mut parts) = s.parts();
    if parts.is_empty() {
        return Term::bool(constant == IBig::ZERO);
    }
    let range = parts.iter().fold(Range::of_value(&constant), |r, (k, a)| r.plus(a.range().scale(k)));
    if !range.contains(0) {
        return Term::ff();
    }
    let mut bound = -constant;
    let mut g = content(&parts);
    if parts[0].0 < IBig::ZERO {
        g = -g;
    }
    if g != IBig::ONE {
        let (q, r) = (&bound / &g, &bound % &g);
        if r != IBig::ZERO {
            return Term::ff();
        }
        for p in &mut parts {
            p.0 = &p.0 / &g;
        }
        bound = q;
    }
    if let Some(unwrapped) = unwrap_equation(&parts, &bound) {
        return unwrapped;
    }
    let (left, right) = split(parts, bound);
    push_ite(left, right, ITE_DEPTH, |a, b| a == b).unwrap_or_else(|| Term::intern(Kind::Eq(left, right)))
}

/// `Σ parts = bound` without a wrap whose operand can have only one value that fits: `wrap(x + 1) = 0` is `x = -1`, `wrap(x - y) = 0` is `x = y`.
fn unwrap_equation(parts: &[(IBig, Term)], bound: &IBig) -> Option<Term> {
    let is_unit = |k: &IBig| *k == IBig::ONE || *k == IBig::NEG_ONE;
    let (i, ty, operand) = parts.iter().enumerate().find_map(|(i, (k, t))| match t.kind() {
        Kind::Wrap(ty, x) if is_unit(k) => Some((i, *ty, *x)),
        _ => None,
    })?;
    // wrap(operand) = value, and value ≡ operand modulo 2^bits if it is one of the type.
    let sign = &parts[i].0;
    let others = parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, (k, t))| (-(sign * k), *t));
    let value = Term::linear(sign * bound, others.collect::<Vec<_>>());
    let difference = operand.sub(value);
    let Range { lo: Some(lo), hi: Some(hi) } = difference.range() else { return None };
    if !value.range().fits(ty) || ty.bits > 64 {
        return None;
    }
    let modulus = 1i128 << ty.bits;
    let least = lo.checked_add(lo.checked_neg()?.rem_euclid(modulus))?;
    if least > hi {
        return Some(Term::ff());
    }
    (least.checked_add(modulus)? > hi).then(|| difference.equals(Term::int(least)))
}

/// A comparison of nested `ite`s over constants with a constant, as a formula over the conditions.
fn push_ite(a: Term, b: Term, depth: u32, cmp: fn(&IBig, &IBig) -> bool) -> Option<Term> {
    fn go(t: Term, depth: u32, test: &dyn Fn(&IBig) -> bool) -> Option<Term> {
        match t.kind() {
            Kind::Int(v) => Some(Term::bool(test(v))),
            Kind::Ite(c, x, y) if depth > 0 => Some(Term::ite(*c, go(*x, depth - 1, test)?, go(*y, depth - 1, test)?)),
            _ => None,
        }
    }
    match (a.as_int(), b.as_int()) {
        (_, Some(k)) => go(a, depth, &|v| cmp(v, k)),
        (Some(k), _) => go(b, depth, &|v| cmp(k, v)),
        _ => None,
    }
}
