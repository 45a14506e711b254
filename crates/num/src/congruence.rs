//! Congruences: `x ≡ r (mod m)` for each dimension (Granger, *Static analysis of arithmetical congruences*, 1989).
//!
//! Exact: meet, forget, rename, images and preimages of `x := ±y + c` and `x := c`. Least: join, images of any `x := e`, guards with one
//! equation. Inequalities only tell whether a constant satisfies them. Moduli only ever shrink to divisors, so widening is join.

use std::collections::BTreeMap;

use crate::domain::NumDomain;
use crate::int::Int;
use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};

/// The domain of congruences.
///
/// ```
/// use plumb_num::{Congruences, Dim, Lattice, LinCons, LinExpr, NumDomain};
/// let (d, x, y) = (Congruences, Dim(0), Dim(1));
/// let zero = d.assign(&d.top(), x, &0.into());
/// let four = d.assign(&zero, x, &4.into());
/// let e = d.join(&zero, &four);
/// assert_eq!(e.get(x).to_string(), "0 mod 4");
/// // y := 3x + 1 is 1 mod 12; x + y = 3 is impossible, x ≠ 2 is certain.
/// let e = d.assign(&e, y, &LinExpr::new([(x, 3)], 1));
/// assert_eq!(e.get(y).to_string(), "1 mod 12");
/// assert!(d.is_bottom(&d.assume(&e, &LinCons::eq(LinExpr::var(x) + LinExpr::var(y), 3.into()))));
/// assert!(d.entails(&e, &LinCons::ne(x.into(), 2.into())));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Congruences;

/// The residue class `r + mℤ`; `m = 0` is the single number `r`, `m = 1` is ℤ.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Residue {
    modulus: Int,
    /// In `0 .. modulus` if the modulus is positive.
    rest: Int,
}

impl Residue {
    /// All integers.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::congruence::Residue;
    /// assert!(Residue::ALL.contains(&41.into()) && Residue::ALL.contains(&42.into()));
    /// ```
    pub const ALL: Residue = Residue { modulus: Int::ONE, rest: Int::ZERO };

    /// `r + mℤ`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::congruence::Residue;
    /// assert_eq!(Residue::new(4.into(), (-1).into()).to_string(), "3 mod 4");
    /// ```
    pub fn new(modulus: Int, rest: Int) -> Residue {
        let modulus = modulus.abs();
        let rest = if modulus.is_zero() { rest } else { rest.rem_floor(&modulus) };
        Residue { modulus, rest }
    }

    /// The modulus; zero for a single number.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::congruence::Residue;
    /// assert_eq!(Residue::new((-4).into(), 1.into()).modulus(), &4.into());
    /// ```
    pub fn modulus(&self) -> &Int {
        &self.modulus
    }

    /// The residue.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::congruence::Residue;
    /// assert_eq!(Residue::new(4.into(), 9.into()).rest(), &1.into());
    /// ```
    pub fn rest(&self) -> &Int {
        &self.rest
    }

    fn is_all(&self) -> bool {
        self.modulus.is_one()
    }

    /// Whether `v` is in the class.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::congruence::Residue;
    /// let odd = Residue::new(2.into(), 1.into());
    /// assert!(odd.contains(&(-7).into()) && !odd.contains(&4.into()));
    /// ```
    pub fn contains(&self, v: &Int) -> bool {
        self.modulus.divides(&(v - &self.rest))
    }

    fn is_subset(&self, other: &Residue) -> bool {
        other.modulus.divides(&self.modulus) && other.contains(&self.rest)
    }

    fn hull(&self, other: &Residue) -> Residue {
        Residue::new(self.modulus.gcd(&other.modulus).gcd(&(&self.rest - &other.rest)), self.rest.clone())
    }

    /// The common numbers, by the Chinese remainder theorem.
    fn intersection(&self, other: &Residue) -> Option<Residue> {
        if self.modulus.is_zero() {
            return other.contains(&self.rest).then(|| self.clone());
        }
        // self.rest + t·self.modulus ≡ other.rest (mod other.modulus)
        let t = solve(&self.modulus, &(&other.rest - &self.rest), &other.modulus)?;
        let modulus = self.modulus.lcm(&other.modulus);
        Some(Residue::new(modulus, &self.rest + &(&t.rest * &self.modulus)))
    }

    fn plus_scaled(&self, other: &Residue, k: &Int) -> Residue {
        Residue::new(self.modulus.gcd(&(&other.modulus * k)), &self.rest + &(&other.rest * k))
    }

    /// The nearest number of the class at or above `v`; at or below it if `down`.
    fn nearest(&self, v: &Int, down: bool) -> Option<Int> {
        if self.modulus.is_zero() {
            return Some(self.rest.clone()).filter(|r| if down { r <= v } else { r >= v });
        }
        let up = (&self.rest - v).rem_floor(&self.modulus);
        Some(match (down, up.is_zero()) {
            (_, true) => v.clone(),
            (true, false) => v + &(up - &self.modulus),
            (false, false) => v + &up,
        })
    }
}

impl std::fmt::Display for Residue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.modulus.is_zero() {
            write!(f, "{}", self.rest)
        } else {
            write!(f, "{} mod {}", self.rest, self.modulus)
        }
    }
}

impl std::fmt::Debug for Residue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// All `x` with `c·x ≡ s (mod m)`, `c ≠ 0`; `m = 0` means equality.
fn solve(c: &Int, s: &Int, m: &Int) -> Option<Residue> {
    let d = c.gcd(m);
    if !d.divides(s) {
        return None;
    }
    let (c, s, m) = (c.div_exact(&d), s.div_exact(&d), m.div_exact(&d));
    if m.is_zero() {
        // c is ±1 here.
        return Some(Residue::new(Int::ZERO, s * c));
    }
    // Extended Euclid: u·c ≡ 1 (mod m).
    let (mut r, mut next_r) = (c.rem_floor(&m), m.clone());
    let (mut u, mut next_u) = (Int::ONE, Int::ZERO);
    while !next_r.is_zero() {
        let q = r.div_floor(&next_r);
        (r, next_r) = (next_r.clone(), &r - &(&q * &next_r));
        (u, next_u) = (next_u.clone(), &u - &(&q * &next_u));
    }
    Some(Residue::new(m, s * u))
}

/// A residue class for each constrained dimension, or bottom.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Classes {
    /// No class is all of ℤ. `None` is bottom.
    classes: Option<BTreeMap<Dim, Residue>>,
}

impl Classes {
    /// The class of a dimension; all integers for bottom.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::congruence::Residue;
    /// use plumb_num::{Congruences, Dim, Lattice, LinExpr, NumDomain};
    /// let e = Congruences.assign(&Congruences.top(), Dim(0), &LinExpr::new([(Dim(1), 6)], 2));
    /// assert_eq!((e.get(Dim(0)), e.get(Dim(1))), (Residue::new(6.into(), 2.into()), Residue::ALL));
    /// ```
    pub fn get(&self, x: Dim) -> Residue {
        self.classes.as_ref().and_then(|c| c.get(&x)).cloned().unwrap_or(Residue::ALL)
    }

    fn set(&mut self, x: Dim, r: Residue) {
        if let Some(classes) = &mut self.classes {
            if r.is_all() {
                classes.remove(&x);
            } else {
                classes.insert(x, r);
            }
        }
    }

    /// The class of the values of an expression.
    fn eval(&self, expr: &LinExpr) -> Residue {
        let constant = Residue::new(Int::ZERO, expr.constant_part().clone());
        expr.terms().iter().fold(constant, |sum, (d, c)| sum.plus_scaled(&self.get(*d), c))
    }

    /// The largest box in the given one whose ends are numbers of the classes.
    pub(crate) fn round(&self, x: Dim, side: &Interval) -> Interval {
        let class = self.get(x);
        let end = |v: &Option<Int>, down: bool| v.as_ref().map(|v| class.nearest(v, down));
        match (end(&side.lo, false), end(&side.hi, true)) {
            (Some(None), _) | (_, Some(None)) => Interval::empty(),
            (lo, hi) => Interval { lo: lo.flatten(), hi: hi.flatten() },
        }
    }
}

impl std::fmt::Debug for Classes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.classes {
            None => write!(f, "bottom"),
            Some(classes) => classes.fmt(f),
        }
    }
}

impl Lattice for Congruences {
    type Elem = Classes;

    fn bottom(&self) -> Classes {
        Classes { classes: None }
    }

    fn top(&self) -> Classes {
        Classes { classes: Some(BTreeMap::new()) }
    }

    fn is_bottom(&self, a: &Classes) -> bool {
        a.classes.is_none()
    }

    fn leq(&self, a: &Classes, b: &Classes) -> bool {
        match (&a.classes, &b.classes) {
            (None, _) => true,
            (_, None) => false,
            (Some(_), Some(cs)) => cs.iter().all(|(d, r)| a.get(*d).is_subset(r)),
        }
    }

    fn join(&self, a: &Classes, b: &Classes) -> Classes {
        match (&a.classes, &b.classes) {
            (None, _) => b.clone(),
            (_, None) => a.clone(),
            (Some(cs), Some(_)) => {
                let mut out = self.top();
                cs.iter().for_each(|(d, r)| out.set(*d, r.hull(&b.get(*d))));
                out
            }
        }
    }

    fn meet(&self, a: &Classes, b: &Classes) -> Classes {
        let (Some(_), Some(cs)) = (&a.classes, &b.classes) else { return self.bottom() };
        let mut out = a.clone();
        for (d, r) in cs {
            match a.get(*d).intersection(r) {
                Some(both) => out.set(*d, both),
                None => return self.bottom(),
            }
        }
        out
    }

    fn widen(&self, old: &Classes, new: &Classes) -> Classes {
        self.join(old, new)
    }
}

impl NumDomain for Congruences {
    fn assume(&self, e: &Classes, c: &LinCons) -> Classes {
        if self.is_bottom(e) || c.is_never() {
            return self.bottom();
        }
        let value = e.eval(c.expr());
        let constant = value.modulus.is_zero().then_some(&value.rest);
        match (c.kind(), constant) {
            (ConsKind::Ge, Some(k)) if k.is_negative() => self.bottom(),
            (ConsKind::Ne, Some(k)) if k.is_zero() => self.bottom(),
            (ConsKind::Eq, _) => {
                let mut out = e.clone();
                for (d, c_d) in c.expr().terms() {
                    // c·x ≡ -(the rest of the equation); the rest takes every value of its class.
                    let rest = e.eval(&c.expr().substitute(*d, &LinExpr::default()));
                    let x = solve(c_d, &-&rest.rest, &rest.modulus).and_then(|r| r.intersection(&e.get(*d)));
                    match x {
                        Some(x) => out.set(*d, x),
                        None => return self.bottom(),
                    }
                }
                out
            }
            _ => e.clone(),
        }
    }

    fn assign(&self, e: &Classes, x: Dim, expr: &LinExpr) -> Classes {
        let mut out = e.clone();
        out.set(x, e.eval(expr));
        out
    }

    fn forget(&self, e: &Classes, dims: &[Dim]) -> Classes {
        let mut out = e.clone();
        dims.iter().for_each(|d| out.set(*d, Residue::ALL));
        out
    }

    fn rename(&self, e: &Classes, map: &[(Dim, Dim)]) -> Classes {
        let to = |d: &Dim| map.iter().find(|(from, _)| from == d).map_or(*d, |m| m.1);
        Classes { classes: e.classes.as_ref().map(|cs| cs.iter().map(|(d, r)| (to(d), r.clone())).collect()) }
    }

    /// A point if the expression is constant on the element, no bound otherwise.
    fn bounds(&self, e: &Classes, expr: &LinExpr) -> Interval {
        if self.is_bottom(e) {
            return Interval::empty();
        }
        let value = e.eval(expr);
        if value.modulus.is_zero() {
            Interval::point(value.rest)
        } else {
            Interval::FULL
        }
    }

    /// The dimensions with a single value; other classes are no linear constraints.
    fn constraints(&self, e: &Classes) -> Vec<LinCons> {
        let Some(classes) = &e.classes else { return vec![LinCons::never()] };
        let constants = classes.iter().filter(|(_, r)| r.modulus.is_zero());
        constants.map(|(d, r)| LinCons::eq(LinExpr::var(*d), LinExpr::constant(r.rest.clone()))).collect()
    }

    fn support(&self, e: &Classes) -> Vec<Dim> {
        e.classes.iter().flat_map(|cs| cs.keys().copied()).collect()
    }

    /// Answered only where one includes the other.
    fn join_is_exact(&self, a: &Classes, b: &Classes) -> bool {
        self.leq(a, b) || self.leq(b, a)
    }

    fn sample(&self, e: &Classes) -> Option<Point> {
        e.classes.as_ref().map(|cs| cs.iter().map(|(d, r)| (*d, r.rest.clone())).collect())
    }

    /// Disjoint classes of a modulus have no linear interpolant; single values do.
    fn interpolate(&self, a: &Classes, b: &Classes) -> Option<Vec<LinCons>> {
        if self.is_bottom(a) {
            return Some(vec![LinCons::never()]);
        }
        if self.is_bottom(b) {
            return Some(Vec::new());
        }
        let in_b = self.support(b);
        let common: Vec<LinCons> = self.constraints(a).into_iter().filter(|c| c.expr().dims().all(|d| in_b.contains(&d))).collect();
        self.is_bottom(&self.assume_all(b, &common)).then_some(common)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::laws!(laws, Congruences, crate::laws::Claims { adjoint: crate::laws::Adjoint::Signed, linear: false });

    /// Against a window of numbers: classes are small sets modulo their period.
    #[test]
    fn classes_behave_as_sets() {
        let members = |r: &Residue| (-60..60).map(Int::from).filter(|v| r.contains(v)).collect::<Vec<_>>();
        for (m, r) in (0..9).flat_map(|m| (0..m.max(3)).map(move |r| (m, r))) {
            for (n, s) in (0..9).flat_map(|n| (0..n.max(3)).map(move |s| (n, s))) {
                let (a, b) = (Residue::new(m.into(), r.into()), Residue::new(n.into(), s.into()));
                let both: Vec<Int> = members(&a).into_iter().filter(|v| b.contains(v)).collect();
                assert_eq!(a.intersection(&b).map_or(Vec::new(), |i| members(&i)), both, "{a} and {b}");
                let hull = a.hull(&b);
                assert!(a.is_subset(&hull) && b.is_subset(&hull));
                assert_eq!(a.is_subset(&b), members(&a).iter().all(|v| b.contains(v)) && (m != 0 || b.contains(&r.into())));
            }
        }
    }
}
