//! What the differential tests and the race share: a seeded generator of inputs and the bridge to PPL.

#![allow(dead_code, reason = "each test or bench that includes this module uses a part of it")]

use plumb_num::{ConsKind, Dim, Int, LinCons, LinExpr, Poly};
use plumb_num_oracle as ppl;

/// SplitMix64: small, fast, and the same everywhere.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number in `lo..=hi`.
    pub fn range(&mut self, lo: i64, hi: i64) -> i64 {
        lo + (self.next() % (hi - lo + 1) as u64) as i64
    }

    /// A sparse expression over `dims` dimensions.
    pub fn expr(&mut self, dims: usize, max_terms: usize, coef: i64, constant: i64) -> LinExpr {
        let n = 1 + self.below(max_terms);
        let terms: Vec<(Dim, i64)> = (0..n).map(|_| (Dim(self.below(dims) as u32), self.range(-coef, coef))).collect();
        LinExpr::new(terms, self.range(-constant, constant))
    }

    /// A constraint, an equation one time in `eq_every`.
    pub fn cons(&mut self, dims: usize, max_terms: usize, coef: i64, constant: i64, eq_every: usize) -> LinCons {
        let e = self.expr(dims, max_terms, coef, constant);
        LinCons::new(e, if self.below(eq_every) == 0 { ConsKind::Eq } else { ConsKind::Ge })
    }
}

/// An expression with word-sized coefficients as PPL wants it.
pub fn terms(e: &LinExpr) -> (Vec<(usize, i64)>, i64) {
    let word = |v: &Int| v.to_i64().expect("inputs of the race have word-sized coefficients");
    (e.terms().iter().map(|(d, c)| (d.index(), word(c))).collect(), word(e.constant_part()))
}

/// Adds a constraint to a PPL polyhedron.
pub fn add(p: &mut ppl::Poly, c: &LinCons) {
    if c.is_always() {
        return;
    }
    let (terms, constant) = terms(c.expr());
    p.add(ppl::Row { terms: &terms, constant }, c.kind() == ConsKind::Eq);
}

/// The polyhedron in PPL.
pub fn to_ppl<'s>(session: &'s ppl::Session, dims: usize, e: &Poly) -> ppl::Poly<'s> {
    let Some(rows) = e.rational_constraints() else { return ppl::Poly::empty(session, dims) };
    let mut out = ppl::Poly::universe(session, dims);
    for (expr, kind) in rows {
        let coefficients = (0..dims).map(|d| expr.coeff(Dim(d as u32)).to_string()).collect();
        let constant = expr.constant_part().to_string();
        out.add_constraint(&ppl::Constraint { coefficients, constant, equality: kind == ConsKind::Eq });
    }
    out
}
