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
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::LinExpr;
    /// assert_eq!(LinExpr::constant(7).as_constant(), Some(&7.into()));
    /// ```
    pub fn constant(k: impl Into<Int>) -> LinExpr {
        LinExpr { terms: Vec::new(), constant: k.into() }
    }

    /// The variable `x`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// assert_eq!(LinExpr::var(Dim(3)), LinExpr::new([(Dim(3), 1)], 0));
    /// ```
    pub fn var(x: Dim) -> LinExpr {
        LinExpr { terms: vec![(x, Int::ONE)], constant: Int::ZERO }
    }

    /// `Σ cᵢ·xᵢ + k`; repeated dimensions are summed.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let e = LinExpr::new([(Dim(1), 2), (Dim(0), 5), (Dim(1), 1)], -4);
    /// assert_eq!(e.to_string(), "5*x0 + 3*x1 - 4");
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let e = LinExpr::new([(Dim(4), 2), (Dim(1), 0), (Dim(0), 5)], 9);
    /// assert_eq!(e.terms(), [(Dim(0), 5.into()), (Dim(4), 2.into())]);
    /// ```
    pub fn terms(&self) -> &[(Dim, Int)] {
        &self.terms
    }

    /// The constant part.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// assert_eq!(LinExpr::new([(Dim(0), 5)], 9).constant_part(), &9.into());
    /// ```
    pub fn constant_part(&self) -> &Int {
        &self.constant
    }

    /// The coefficient of `x`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Int, LinExpr};
    /// let e = LinExpr::new([(Dim(0), 5), (Dim(2), -1)], 9);
    /// assert_eq!((e.coeff(Dim(2)), e.coeff(Dim(1))), (Int::MINUS_ONE, Int::ZERO));
    /// ```
    pub fn coeff(&self, x: Dim) -> Int {
        match self.terms.binary_search_by_key(&x, |t| t.0) {
            Ok(i) => self.terms[i].1.clone(),
            Err(_) => Int::ZERO,
        }
    }

    /// The dimensions that occur.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let e = LinExpr::new([(Dim(2), -1), (Dim(0), 5), (Dim(1), 0)], 9);
    /// assert!(e.dims().eq([Dim(0), Dim(2)]));
    /// ```
    pub fn dims(&self) -> impl Iterator<Item = Dim> + '_ {
        self.terms.iter().map(|t| t.0)
    }

    /// The value, if no dimension occurs.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let x = LinExpr::var(Dim(0));
    /// assert_eq!((x.clone() - x.clone() + 2.into()).as_constant(), Some(&2.into()));
    /// assert_eq!(x.as_constant(), None);
    /// ```
    pub fn as_constant(&self) -> Option<&Int> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The dimension, if the expression is exactly one variable.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let x = LinExpr::var(Dim(0));
    /// assert_eq!(x.as_var(), Some(Dim(0)));
    /// assert!((x.clone() + 1.into()).as_var().is_none() && x.scaled(&2.into()).as_var().is_none());
    /// ```
    pub fn as_var(&self) -> Option<Dim> {
        match &self.terms[..] {
            [(d, c)] if c.is_one() && self.constant.is_zero() => Some(*d),
            _ => None,
        }
    }

    /// `k · self`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// assert_eq!(LinExpr::new([(Dim(0), 5)], -1).scaled(&(-2).into()), LinExpr::new([(Dim(0), -10)], 2));
    /// ```
    pub fn scaled(&self, k: &Int) -> LinExpr {
        if k.is_zero() {
            return LinExpr::default();
        }
        LinExpr { terms: self.terms.iter().map(|(d, c)| (*d, c * k)).collect(), constant: &self.constant * k }
    }

    /// `self + k·other`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let (a, b) = (LinExpr::new([(Dim(0), 6), (Dim(1), 1)], 1), LinExpr::new([(Dim(0), 2), (Dim(2), 1)], 1));
    /// assert_eq!(a.plus_scaled(&b, &(-3).into()), LinExpr::new([(Dim(1), 1), (Dim(2), -3)], -2));
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr, Point};
    /// let p = Point::from([(Dim(0), 10.into()), (Dim(1), 3.into())]);
    /// assert_eq!(LinExpr::new([(Dim(0), 2), (Dim(1), -1), (Dim(2), 100)], 5).eval(&p), 22.into());
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let e = LinExpr::new([(Dim(0), 2), (Dim(1), 1)], 5);
    /// // x0 by x0 - x1
    /// let by = LinExpr::new([(Dim(0), 1), (Dim(1), -1)], 0);
    /// assert_eq!(e.substitute(Dim(0), &by), LinExpr::new([(Dim(0), 2), (Dim(1), -1)], 5));
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let e = LinExpr::new([(Dim(0), 2), (Dim(1), 1)], 5);
    /// assert_eq!(e.rename(|d| Dim(1 - d.0)), LinExpr::new([(Dim(0), 1), (Dim(1), 2)], 5));
    /// assert_eq!(e.rename(|_| Dim(9)), LinExpr::new([(Dim(9), 3)], 5));
    /// ```
    pub fn rename(&self, map: impl Fn(Dim) -> Dim) -> LinExpr {
        LinExpr::new(self.terms.iter().map(|(d, c)| (map(*d), c.clone())), self.constant.clone())
    }

    /// Replaces every dimension that `map` mentions, at once.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinExpr};
    /// let e = LinExpr::new([(Dim(0), 2), (Dim(1), 1)], 5);
    /// let swap = [(Dim(0), LinExpr::var(Dim(1))), (Dim(1), LinExpr::var(Dim(0)))].into();
    /// assert_eq!(e.substitute_all(&swap), LinExpr::new([(Dim(1), 2), (Dim(0), 1)], 5));
    /// ```
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
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, Int, LinExpr};
    /// assert_eq!(LinExpr::new([(Dim(0), 6), (Dim(1), -9)], 2).content(), 3.into());
    /// assert_eq!(LinExpr::constant(4).content(), Int::ZERO);
    /// ```
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
