//! Linear expressions with integer coefficients.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{Add, Neg, Sub};

use super::{Dim, Point};
use crate::int::Int;

/// `Σ cᵢ·xᵢ + k`, sparse: terms are sorted by dimension and no coefficient is zero.
///
/// ```
/// use plumb_num::{Dim, LinExpr};
/// let (x, y) = (Dim(0), Dim(1));
/// let e = LinExpr::var(x).scaled(&3.into()) - LinExpr::var(y) + LinExpr::constant(7);
/// assert_eq!(e.to_string(), "3*x0 - x1 + 7");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LinExpr {
    terms: Vec<(Dim, Int)>,
    constant: Int,
}

impl LinExpr {
    /// The constant `k`.
    pub fn constant(k: impl Into<Int>) -> LinExpr {
        LinExpr { terms: Vec::new(), constant: k.into() }
    }

    /// The variable `x`.
    pub fn var(x: Dim) -> LinExpr {
        LinExpr { terms: vec![(x, Int::ONE)], constant: Int::ZERO }
    }

    /// `Σ cᵢ·xᵢ + k`; repeated dimensions are summed.
    pub fn new<C: Into<Int>>(terms: impl IntoIterator<Item = (Dim, C)>, k: impl Into<Int>) -> LinExpr {
        let mut terms: Vec<(Dim, Int)> = terms.into_iter().map(|(d, c)| (d, c.into())).collect();
        terms.sort_by_key(|t| t.0);
        terms.dedup_by(|b, a| {
            let same = a.0 == b.0;
            if same {
                a.1 += &b.1;
            }
            same
        });
        terms.retain(|t| !t.1.is_zero());
        LinExpr { terms, constant: k.into() }
    }

    /// The terms, sorted by dimension, none with coefficient zero.
    pub fn terms(&self) -> &[(Dim, Int)] {
        &self.terms
    }

    /// The constant part.
    pub fn constant_part(&self) -> &Int {
        &self.constant
    }

    /// The coefficient of `x`.
    pub fn coeff(&self, x: Dim) -> Int {
        match self.terms.binary_search_by_key(&x, |t| t.0) {
            Ok(i) => self.terms[i].1.clone(),
            Err(_) => Int::ZERO,
        }
    }

    /// The dimensions that occur.
    pub fn dims(&self) -> impl Iterator<Item = Dim> + '_ {
        self.terms.iter().map(|t| t.0)
    }

    /// The value, if no dimension occurs.
    pub fn as_constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The dimension, if the expression is exactly one variable.
    pub fn as_var(&self) -> Option<Dim> {
        match &self.terms[..] {
            [(d, c)] if c.is_one() && self.constant.is_zero() => Some(*d),
            _ => None,
        }
    }

    /// `k · self`.
    pub fn scaled(&self, k: &Int) -> LinExpr {
        if k.is_zero() {
            return LinExpr::default();
        }
        LinExpr { terms: self.terms.iter().map(|(d, c)| (*d, c * k)).collect(), constant: &self.constant * k }
    }

    /// `self + k·other`.
    pub fn plus_scaled(&self, other: &LinExpr, k: &Int) -> LinExpr {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let take_left = j == other.terms.len() || (i < self.terms.len() && self.terms[i].0 < other.terms[j].0);
            if take_left {
                terms.push(self.terms[i].clone());
                i += 1;
                continue;
            }
            let (d, c) = &other.terms[j];
            let mut c = c * k;
            j += 1;
            if i < self.terms.len() && self.terms[i].0 == *d {
                c += &self.terms[i].1;
                i += 1;
            }
            if !c.is_zero() {
                terms.push((*d, c));
            }
        }
        LinExpr { terms, constant: &self.constant + &(&other.constant * k) }
    }

    /// The value at an integer point.
    pub fn eval(&self, point: &Point) -> Int {
        let mut sum = self.constant.clone();
        for (d, c) in &self.terms {
            if let Some(v) = point.get(d) {
                sum += &(c * v);
            }
        }
        sum
    }

    /// Replaces `x` by `by`.
    pub fn substitute(&self, x: Dim, by: &LinExpr) -> LinExpr {
        let c = self.coeff(x);
        if c.is_zero() {
            return self.clone();
        }
        let mut rest = self.clone();
        rest.terms.retain(|t| t.0 != x);
        rest.plus_scaled(by, &c)
    }

    /// Replaces every dimension by its image under `map`; dimensions that meet are summed.
    pub fn rename(&self, map: impl Fn(Dim) -> Dim) -> LinExpr {
        LinExpr::new(self.terms.iter().map(|(d, c)| (map(*d), c.clone())), self.constant.clone())
    }

    /// Replaces every dimension that `map` mentions, at once.
    pub fn substitute_all(&self, map: &BTreeMap<Dim, LinExpr>) -> LinExpr {
        let mut out = LinExpr { terms: Vec::new(), constant: self.constant.clone() };
        for (d, c) in &self.terms {
            out = match map.get(d) {
                Some(e) => out.plus_scaled(e, c),
                None => out.plus_scaled(&LinExpr::var(*d), c),
            };
        }
        out
    }

    /// The greatest common divisor of the coefficients (not of the constant); zero for a constant expression.
    pub fn content(&self) -> Int {
        let mut g = Int::ZERO;
        for (_, c) in &self.terms {
            g = g.gcd(c);
            if g.is_one() {
                break;
            }
        }
        g
    }

    pub(crate) fn from_sorted(terms: Vec<(Dim, Int)>, constant: Int) -> LinExpr {
        debug_assert!(terms.windows(2).all(|w| w[0].0 < w[1].0) && terms.iter().all(|t| !t.1.is_zero()));
        LinExpr { terms, constant }
    }
}

impl Add for LinExpr {
    type Output = LinExpr;
    fn add(self, rhs: LinExpr) -> LinExpr {
        self.plus_scaled(&rhs, &Int::ONE)
    }
}

impl Sub for LinExpr {
    type Output = LinExpr;
    fn sub(self, rhs: LinExpr) -> LinExpr {
        self.plus_scaled(&rhs, &Int::MINUS_ONE)
    }
}

impl Neg for LinExpr {
    type Output = LinExpr;
    fn neg(self) -> LinExpr {
        self.scaled(&Int::MINUS_ONE)
    }
}

impl From<Dim> for LinExpr {
    fn from(x: Dim) -> Self {
        LinExpr::var(x)
    }
}

impl From<i64> for LinExpr {
    fn from(k: i64) -> Self {
        LinExpr::constant(k)
    }
}

impl fmt::Display for LinExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (d, c) in &self.terms {
            sign(f, c.is_negative(), first)?;
            if !c.abs().is_one() {
                write!(f, "{}*", c.abs())?;
            }
            write!(f, "{d}")?;
            first = false;
        }
        if first {
            write!(f, "{}", self.constant)
        } else if !self.constant.is_zero() {
            sign(f, self.constant.is_negative(), false)?;
            write!(f, "{}", self.constant.abs())
        } else {
            Ok(())
        }
    }
}

fn sign(f: &mut fmt::Formatter<'_>, negative: bool, first: bool) -> fmt::Result {
    match (first, negative) {
        (true, true) => write!(f, "-"),
        (true, false) => Ok(()),
        (false, true) => write!(f, " - "),
        (false, false) => write!(f, " + "),
    }
}

impl fmt::Debug for LinExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn expr() -> impl Strategy<Value = LinExpr> {
        (proptest::collection::vec((0u32..4, -5i64..6), 0..5), -9i64..10)
            .prop_map(|(t, k)| LinExpr::new(t.into_iter().map(|(d, c)| (Dim(d), c)), k))
    }

    fn point() -> impl Strategy<Value = Point> {
        proptest::collection::vec(-9i64..10, 4).prop_map(|v| v.into_iter().enumerate().map(|(i, x)| (Dim(i as u32), x.into())).collect())
    }

    proptest! {
        #[test]
        fn operations_commute_with_evaluation(a in expr(), b in expr(), p in point(), k in -4i64..5) {
            let k = Int::from(k);
            prop_assert_eq!(a.plus_scaled(&b, &k).eval(&p), a.eval(&p) + &k * &b.eval(&p));
            let mut q = p.clone();
            q.insert(Dim(1), b.eval(&p));
            prop_assert_eq!(a.substitute(Dim(1), &b).eval(&p), a.eval(&q));
            prop_assert_eq!(a.substitute_all(&BTreeMap::from([(Dim(1), b.clone())])), a.substitute(Dim(1), &b));
            prop_assert_eq!(a.clone() - a, LinExpr::default());
        }
    }
}
