//! Linear constraints over the integers, in normal form.

use std::fmt;

use super::{Dim, LinExpr, Point};

/// The relation of a constraint's expression to zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConsKind {
    /// `e = 0`.
    Eq,
    /// `e ≥ 0`.
    Ge,
    /// `e ≠ 0`. No convex domain holds it; `assume` makes the best of it.
    Ne,
}

/// `e ⋈ 0` over the integers, normalised.
///
/// Coefficients have no common divisor; the constant of `≥` is rounded inwards, so `2x ≥ 1` *is* `x ≥ 1` and `x > y` *is*
/// `x ≥ y + 1`; the first coefficient of `=` and `≠` is positive. A constraint that holds everywhere is `0 = 0` and one that
/// holds nowhere is `-1 ≥ 0`. Two constraints of the same kind are equal iff they have the same integer solutions.
///
/// ```
/// use plumb_num::{Dim, LinCons, LinExpr};
/// let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
/// assert_eq!(LinCons::gt(x.clone(), y.clone()).to_string(), "x0 - x1 - 1 >= 0");
/// assert_eq!(LinCons::ge(x.scaled(&2.into()), 1.into()).to_string(), "x0 - 1 >= 0");
/// assert!(LinCons::eq(x.scaled(&2.into()), 1.into()).is_never());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinCons {
    expr: LinExpr,
    kind: ConsKind,
}

impl LinCons {
    /// `expr ⋈ 0`, normalised.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{ConsKind, Dim, LinCons, LinExpr};
    /// // 3·x0 - 7 ≥ 0 is x0 ≥ 3, and 3·x0 = 7 has no integer solution.
    /// let e = LinExpr::new([(Dim(0), 3)], -7);
    /// assert_eq!(LinCons::new(e.clone(), ConsKind::Ge), LinCons::ge(Dim(0).into(), 3.into()));
    /// assert!(LinCons::new(e.clone(), ConsKind::Eq).is_never() && LinCons::new(e, ConsKind::Ne).is_always());
    /// ```
    pub fn new(expr: LinExpr, kind: ConsKind) -> LinCons {
        let g = expr.content();
        if g.is_zero() {
            let k = expr.constant_part();
            let holds = match kind {
                ConsKind::Eq => k.is_zero(),
                ConsKind::Ge => !k.is_negative(),
                ConsKind::Ne => !k.is_zero(),
            };
            return if holds { LinCons::always() } else { LinCons::never() };
        }
        if kind != ConsKind::Ge && !g.divides(expr.constant_part()) {
            return if kind == ConsKind::Ne { LinCons::always() } else { LinCons::never() };
        }
        let negate = kind != ConsKind::Ge && expr.terms()[0].1.is_negative();
        if g.is_one() && !negate {
            return LinCons { expr, kind };
        }
        let d = if negate { -&g } else { g.clone() };
        let terms = expr.terms().iter().map(|(x, c)| (*x, c.div_exact(&d))).collect();
        LinCons { expr: LinExpr::from_sorted(terms, expr.constant_part().div_floor(&d)), kind }
    }

    /// The constraint that always holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{LinCons, Point};
    /// assert!(LinCons::always().holds(&Point::new()) && LinCons::ge(1.into(), 0.into()) == LinCons::always());
    /// ```
    pub fn always() -> LinCons {
        LinCons { expr: LinExpr::default(), kind: ConsKind::Eq }
    }

    /// The constraint that never holds.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{LinCons, Point};
    /// assert!(!LinCons::never().holds(&Point::new()) && LinCons::ge(0.into(), 1.into()) == LinCons::never());
    /// ```
    pub fn never() -> LinCons {
        LinCons { expr: LinExpr::constant(-1), kind: ConsKind::Ge }
    }

    /// `a ≥ b`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert_eq!(LinCons::ge(Dim(0).into(), Dim(1).into()).to_string(), "x0 - x1 >= 0");
    /// ```
    pub fn ge(a: LinExpr, b: LinExpr) -> LinCons {
        LinCons::new(a - b, ConsKind::Ge)
    }

    /// `a > b`, which over the integers is `a ≥ b + 1`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert_eq!(LinCons::gt(Dim(0).into(), Dim(1).into()).to_string(), "x0 - x1 - 1 >= 0");
    /// ```
    pub fn gt(a: LinExpr, b: LinExpr) -> LinCons {
        LinCons::new(a - b - LinExpr::constant(1), ConsKind::Ge)
    }

    /// `a ≤ b`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert_eq!(LinCons::le(Dim(0).into(), Dim(1).into()).to_string(), "-x0 + x1 >= 0");
    /// ```
    pub fn le(a: LinExpr, b: LinExpr) -> LinCons {
        LinCons::ge(b, a)
    }

    /// `a < b`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert_eq!(LinCons::lt(Dim(0).into(), Dim(1).into()).to_string(), "-x0 + x1 - 1 >= 0");
    /// ```
    pub fn lt(a: LinExpr, b: LinExpr) -> LinCons {
        LinCons::gt(b, a)
    }

    /// `a = b`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert_eq!(LinCons::eq(Dim(1).into(), Dim(0).into()).to_string(), "x0 - x1 = 0");
    /// ```
    pub fn eq(a: LinExpr, b: LinExpr) -> LinCons {
        LinCons::new(a - b, ConsKind::Eq)
    }

    /// `a ≠ b`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert_eq!(LinCons::ne(Dim(1).into(), Dim(0).into()).to_string(), "x0 - x1 != 0");
    /// ```
    pub fn ne(a: LinExpr, b: LinExpr) -> LinCons {
        LinCons::new(a - b, ConsKind::Ne)
    }

    /// The expression compared with zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, LinExpr};
    /// assert_eq!(LinCons::ge(Dim(0).into(), 4.into()).expr(), &LinExpr::new([(Dim(0), 1)], -4));
    /// ```
    pub fn expr(&self) -> &LinExpr {
        &self.expr
    }

    /// The relation.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{ConsKind, Dim, LinCons};
    /// assert_eq!(LinCons::lt(Dim(0).into(), 4.into()).kind(), ConsKind::Ge);
    /// assert_eq!(LinCons::ne(Dim(0).into(), 4.into()).kind(), ConsKind::Ne);
    /// ```
    pub fn kind(&self) -> ConsKind {
        self.kind
    }

    /// Whether every point satisfies the constraint.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert!(LinCons::ge(Dim(0).into(), Dim(0).into()).is_always());
    /// assert!(!LinCons::ge(Dim(0).into(), 0.into()).is_always());
    /// ```
    pub fn is_always(&self) -> bool {
        *self == LinCons::always()
    }

    /// Whether no integer point satisfies the constraint.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert!(LinCons::gt(Dim(0).into(), Dim(0).into()).is_never());
    /// assert!(!LinCons::gt(Dim(0).into(), 0.into()).is_never());
    /// ```
    pub fn is_never(&self) -> bool {
        *self == LinCons::never()
    }

    /// Whether the point satisfies the constraint.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons, Point};
    /// let at_least_4 = LinCons::ge(Dim(0).into(), 4.into());
    /// assert!(at_least_4.holds(&Point::from([(Dim(0), 4.into())])) && !at_least_4.holds(&Point::from([(Dim(0), 3.into())])));
    /// ```
    pub fn holds(&self, point: &Point) -> bool {
        let v = self.expr.eval(point);
        match self.kind {
            ConsKind::Eq => v.is_zero(),
            ConsKind::Ge => !v.is_negative(),
            ConsKind::Ne => !v.is_zero(),
        }
    }

    /// The integer complement: `e ≥ 0` becomes `-e - 1 ≥ 0`, `=` and `≠` swap.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// assert_eq!(LinCons::ge(Dim(0).into(), 4.into()).negated(), LinCons::le(Dim(0).into(), 3.into()));
    /// assert_eq!(LinCons::eq(Dim(0).into(), 4.into()).negated(), LinCons::ne(Dim(0).into(), 4.into()));
    /// ```
    pub fn negated(&self) -> LinCons {
        match self.kind {
            ConsKind::Ge => LinCons::new(-self.expr.clone() - LinExpr::constant(1), ConsKind::Ge),
            ConsKind::Eq => LinCons::new(self.expr.clone(), ConsKind::Ne),
            ConsKind::Ne => LinCons::new(self.expr.clone(), ConsKind::Eq),
        }
    }

    /// The integer complement as a disjunction of inequalities and equations: `=` gives its two strict sides.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// let cases = LinCons::eq(Dim(0).into(), 4.into()).negated_cases();
    /// assert_eq!(cases, [LinCons::ge(Dim(0).into(), 5.into()), LinCons::le(Dim(0).into(), 3.into())]);
    /// ```
    pub fn negated_cases(&self) -> Vec<LinCons> {
        match self.kind {
            ConsKind::Eq => LinCons::new(self.expr.clone(), ConsKind::Ne).cases(),
            _ => vec![self.negated()],
        }
    }

    /// The constraint as a disjunction of convex ones: `≠` gives its two strict sides, any other constraint itself.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// let cases = LinCons::ne(Dim(0).into(), 4.into()).cases();
    /// assert_eq!(cases, [LinCons::ge(Dim(0).into(), 5.into()), LinCons::le(Dim(0).into(), 3.into())]);
    /// ```
    pub fn cases(&self) -> Vec<LinCons> {
        if self.kind != ConsKind::Ne {
            return vec![self.clone()];
        }
        let zero = LinExpr::default();
        vec![LinCons::gt(self.expr.clone(), zero.clone()), LinCons::lt(self.expr.clone(), zero)]
    }

    /// Inequalities whose conjunction is the constraint: `=` gives two, `≥` itself, `≠` none (it is not convex).
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// let sides = LinCons::eq(Dim(0).into(), 4.into()).inequalities();
    /// assert_eq!(sides, [LinCons::ge(Dim(0).into(), 4.into()), LinCons::le(Dim(0).into(), 4.into())]);
    /// ```
    pub fn inequalities(&self) -> Vec<LinCons> {
        match self.kind {
            ConsKind::Ge => vec![self.clone()],
            ConsKind::Eq => vec![LinCons::new(self.expr.clone(), ConsKind::Ge), LinCons::new(-self.expr.clone(), ConsKind::Ge)],
            ConsKind::Ne => vec![],
        }
    }

    /// Replaces every dimension by its image under `map`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::{Dim, LinCons};
    /// let c = LinCons::lt(Dim(0).into(), Dim(1).into());
    /// assert_eq!(c.rename(|d| Dim(1 - d.0)), LinCons::lt(Dim(1).into(), Dim(0).into()));
    /// ```
    pub fn rename(&self, map: impl Fn(Dim) -> Dim) -> LinCons {
        LinCons::new(self.expr.rename(map), self.kind)
    }
}

impl fmt::Display for LinCons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let op = match self.kind {
            ConsKind::Eq => "=",
            ConsKind::Ge => ">=",
            ConsKind::Ne => "!=",
        };
        write!(f, "{} {op} 0", self.expr)
    }
}

impl fmt::Debug for LinCons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int::Int;
    use proptest::prelude::*;

    fn holds_raw(e: &LinExpr, kind: ConsKind, p: &Point) -> bool {
        let v = e.eval(p);
        match kind {
            ConsKind::Eq => v == Int::ZERO,
            ConsKind::Ge => v >= Int::ZERO,
            ConsKind::Ne => v != Int::ZERO,
        }
    }

    proptest! {
        #[test]
        fn normal_form_has_the_same_integer_points(
            a in -12i64..13, b in -12i64..13, k in -30i64..30, x in -6i64..7, y in -6i64..7, which in 0..3,
        ) {
            let kind = [ConsKind::Eq, ConsKind::Ge, ConsKind::Ne][which as usize];
            let e = LinExpr::new([(Dim(0), a), (Dim(1), b)], k);
            let p = Point::from([(Dim(0), x.into()), (Dim(1), y.into())]);
            let c = LinCons::new(e.clone(), kind);
            prop_assert_eq!(c.holds(&p), holds_raw(&e, kind, &p));
            prop_assert_eq!(c.negated().holds(&p), !c.holds(&p));
            prop_assert_eq!(c.negated_cases().iter().any(|n| n.holds(&p)), !c.holds(&p));
            prop_assert_eq!(c.cases().iter().any(|n| n.holds(&p)), c.holds(&p));
            if kind != ConsKind::Ne {
                prop_assert_eq!(c.inequalities().iter().all(|n| n.holds(&p)), c.holds(&p));
            }
            prop_assert_eq!(LinCons::new(e.scaled(&Int::from(3)), kind), c);
        }
    }
}
