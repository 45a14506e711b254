//! What the differential tests and the race share: a seeded generator of inputs and the bridge to PPL.

#![allow(dead_code, reason = "each test or bench that includes this module uses a part of it")]

pub mod replay;

use plumb_num::{ConsKind, Dim, LinCons, LinExpr, Poly};
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

/// A constraint as PPL reads it.
fn constraint(dims: usize, e: &LinExpr, equality: bool) -> ppl::Constraint {
    let coefficients = (0..dims).map(|d| e.coeff(Dim(d as u32)).to_string()).collect();
    ppl::Constraint { coefficients, constant: e.constant_part().to_string(), equality }
}

/// Constraints (no `≠`) in PPL.
pub fn constraints<'s>(session: &'s ppl::Session, dims: usize, cs: &[LinCons]) -> ppl::Constraints<'s> {
    let cs: Vec<_> = cs.iter().map(|c| constraint(dims, c.expr(), c.kind() == ConsKind::Eq)).collect();
    ppl::Constraints::new(session, dims, &cs)
}

/// An expression in PPL.
pub fn expression<'s>(session: &'s ppl::Session, dims: usize, e: &LinExpr) -> ppl::Expression<'s> {
    let terms: Vec<(usize, String)> = e.terms().iter().map(|(d, c)| (d.index(), c.to_string())).collect();
    let terms = terms.iter().map(|(d, c)| (*d, c.as_str()));
    ppl::Expression::new(session, dims, terms, &e.constant_part().to_string())
}

/// The polyhedron in PPL.
pub fn to_ppl<'s>(session: &'s ppl::Session, dims: usize, e: &Poly) -> ppl::Poly<'s> {
    let Some(rows) = e.rational_constraints() else { return ppl::Poly::empty(session, dims) };
    let rows: Vec<_> = rows.iter().map(|(expr, kind)| constraint(dims, expr, *kind == ConsKind::Eq)).collect();
    let mut out = ppl::Poly::universe(session, dims);
    out.add(&ppl::Constraints::new(session, dims, &rows));
    out
}
