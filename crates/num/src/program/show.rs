//! Invariants in the program's own names.

use std::fmt::Write;

use crate::congruence::Congruences;
use crate::domain::NumDomain;
use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons};
use crate::product::{BoxWith, WithBox};
use crate::{AffineEqualities, Boxes, Octagons, Polyhedra, Zones};

/// A constraint with names, positive terms on the left: `2*x + 1 <= y`.
///
/// ```
/// use plumb_num::{program::show, Dim, LinCons, LinExpr};
/// let names = ["x".to_string(), "y".to_string()];
/// let c = LinCons::le(LinExpr::var(Dim(0)), LinExpr::var(Dim(1)) + LinExpr::constant(3));
/// assert_eq!(show::constraint(&c, &names), "y >= x - 3");
/// ```
pub fn constraint(c: &LinCons, names: &[String]) -> String {
    if c.is_always() || c.is_never() {
        return c.is_always().to_string();
    }
    let (left, right): (Vec<_>, Vec<_>) = c.expr().terms().iter().cloned().partition(|t| t.1.is_positive());
    let right: Vec<(Dim, Int)> = right.into_iter().map(|(d, c)| (d, -c)).collect();
    let k = c.expr().constant_part();
    let op = match c.kind() {
        ConsKind::Eq => "==",
        ConsKind::Ne => "!=",
        ConsKind::Ge if left.is_empty() => "<=",
        ConsKind::Ge => ">=",
    };
    // left + k ⋈ right
    if left.is_empty() {
        format!("{} {op} {k}", sum(&right, &Int::ZERO, names))
    } else {
        format!("{} {op} {}", sum(&left, &Int::ZERO, names), sum(&right, &-k, names))
    }
}

fn sum(terms: &[(Dim, Int)], k: &Int, names: &[String]) -> String {
    let mut out = String::new();
    for (d, c) in terms {
        if !out.is_empty() {
            out.push_str(" + ");
        }
        let name = names.get(d.index()).cloned().unwrap_or_else(|| d.to_string());
        // Writing to a string cannot fail.
        let _ = if c.is_one() { write!(out, "{name}") } else { write!(out, "{c}*{name}") };
    }
    match (out.is_empty(), k.signum()) {
        (true, _) => k.to_string(),
        (false, 0) => out,
        (false, s) => format!("{out} {} {}", if s < 0 { "-" } else { "+" }, k.abs()),
    }
}

/// A domain whose elements can be listed for a reader.
pub trait Show: NumDomain {
    /// What holds in the element, one fact each; nothing for top.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::program::show::Show;
    /// use plumb_num::{Congruences, Dim, Lattice, LinExpr, NumDomain};
    /// let even = Congruences.assign(&Congruences.top(), Dim(0), &LinExpr::new([(Dim(1), 2)], 0));
    /// assert_eq!(Congruences.facts(&even, &["n".to_string()]), ["n == 0 mod 2"]);
    /// ```
    fn facts(&self, e: &Self::Elem, names: &[String]) -> Vec<String> {
        self.constraints(e).iter().map(|c| constraint(c, names)).collect()
    }
}

impl Show for AffineEqualities {}
impl Show for Boxes {}
impl Show for Octagons {}
impl Show for Polyhedra {}
impl Show for Zones {}

impl Show for Congruences {
    /// Constants, and `x == r mod m`.
    fn facts(&self, e: &Self::Elem, names: &[String]) -> Vec<String> {
        if crate::Lattice::is_bottom(self, e) {
            return vec!["false".to_string()];
        }
        let name = |x: &Dim| names.get(x.index()).cloned().unwrap_or_else(|| x.to_string());
        self.support(e).iter().map(|x| format!("{} == {}", name(x), e.get(*x))).collect()
    }
}

impl<D: Show + WithBox> Show for BoxWith<D> {
    fn facts(&self, e: &Self::Elem, names: &[String]) -> Vec<String> {
        let mut out = Boxes.facts(e.sides(), names);
        out.extend(self.0.facts(e.other(), names));
        out.sort();
        out.dedup();
        out
    }
}
