//! Octagonal constraints: `±x ± y ≤ c` and `±x ≤ c`.

use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr};

/// A dimension with a sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lit {
    pub(crate) dim: Dim,
    pub(crate) neg: bool,
}

impl Lit {
    pub(crate) fn new(dim: Dim, neg: bool) -> Lit {
        Lit { dim, neg }
    }

    /// `x` and `-x`.
    pub(crate) fn both(dim: Dim) -> [Lit; 2] {
        [Lit::new(dim, false), Lit::new(dim, true)]
    }

    pub(crate) fn negated(self) -> Lit {
        Lit { dim: self.dim, neg: !self.neg }
    }

    pub(crate) fn expr(self) -> LinExpr {
        LinExpr::new([(self.dim, if self.neg { -1 } else { 1 })], 0)
    }
}

/// `u + v ≤ c`; `2u ≤ c` if the literals are the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct OctCons {
    pub(crate) u: Lit,
    pub(crate) v: Lit,
    pub(crate) c: Int,
}

impl OctCons {
    /// `u ≤ c`.
    pub(crate) fn unary(u: Lit, c: &Int) -> OctCons {
        OctCons { u, v: u, c: c + c }
    }

    /// The inequality `e ≥ 0`, if it is octagonal.
    pub(crate) fn of_ge(e: &LinExpr) -> Option<OctCons> {
        // e = -u - v + k ≥ 0 is u + v ≤ k.
        let lit = |(d, c): &(Dim, Int)| c.abs().is_one().then(|| Lit::new(*d, c.is_positive()));
        match e.terms() {
            [t] => Some(OctCons::unary(lit(t)?, e.constant_part())),
            [s, t] => Some(OctCons { u: lit(s)?, v: lit(t)?, c: e.constant_part().clone() }),
            _ => None,
        }
    }

    /// The octagonal constraints whose conjunction is `c`, if it is one (not `≠`, not a constant).
    pub(crate) fn of_cons(c: &LinCons) -> Option<Vec<OctCons>> {
        if c.kind() == ConsKind::Ne {
            return None;
        }
        c.inequalities().iter().map(|i| OctCons::of_ge(i.expr())).collect()
    }

    /// The constraint as a linear one.
    pub(crate) fn to_cons(&self) -> LinCons {
        let e = LinExpr::constant(self.c.clone()) - self.u.expr() - self.v.expr();
        LinCons::new(e, ConsKind::Ge)
    }
}
