//! Systems of linear equations: reduced echelon form, and integer solutions.

use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};

/// Equations `row = 0` in reduced row echelon form: each row's first dimension (its pivot) occurs in no other row, rows are sorted
/// by pivot and normalised as [`LinCons`] are. The form is canonical for the set of rational solutions.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Echelon {
    rows: Vec<LinExpr>,
}

impl Echelon {
    pub(super) fn rows(&self) -> &[LinExpr] {
        &self.rows
    }

    /// The system of the equations `e = 0`; `None` if one has no integer solution, or together they have no rational one.
    pub(super) fn of(rows: impl IntoIterator<Item = LinExpr>) -> Option<Echelon> {
        let mut out = Echelon::default();
        for r in rows {
            out.insert(&r)?;
        }
        Some(out)
    }

    /// `s·e` modulo the equations, with the positive `s` that avoids fractions: the representative without pivots.
    pub(super) fn reduce(&self, e: &LinExpr) -> (LinExpr, Int) {
        let (mut e, mut scale) = (e.clone(), Int::ONE);
        for r in &self.rows {
            let (pivot, a) = &r.terms()[0];
            let c = e.coeff(*pivot);
            if !c.is_zero() {
                // a > 0 by normalisation.
                let g = a.gcd(&c);
                let (a, c) = (a.div_exact(&g), c.div_exact(&g));
                e = e.scaled(&a).plus_scaled(r, &-c);
                scale = scale * a;
            }
        }
        (e, scale)
    }

    /// Adds `e = 0`.
    pub(super) fn insert(&mut self, e: &LinExpr) -> Option<()> {
        let c = LinCons::new(self.reduce(e).0, ConsKind::Eq);
        if c.is_never() {
            return None;
        }
        if c.is_always() {
            return Some(());
        }
        let row = c.expr().clone();
        let (pivot, a) = row.terms()[0].clone();
        for r in &mut self.rows {
            let c = r.coeff(pivot);
            if !c.is_zero() {
                let reduced = LinCons::new(r.scaled(&a).plus_scaled(&row, &-c), ConsKind::Eq);
                if reduced.is_never() {
                    return None;
                }
                *r = reduced.expr().clone();
            }
        }
        let at = self.rows.partition_point(|r| r.terms()[0].0 < pivot);
        self.rows.insert(at, row);
        Some(())
    }

    /// The equations that do not mention the dimensions, all of them that follow.
    pub(super) fn without(&self, gone: &[Dim]) -> Option<Echelon> {
        let mut rows = self.rows.clone();
        for x in gone {
            let Some(at) = rows.iter().position(|r| !r.coeff(*x).is_zero()) else { continue };
            let used = rows.swap_remove(at);
            let a = used.coeff(*x);
            for r in rows.iter_mut().filter(|r| !r.coeff(*x).is_zero()) {
                let c = r.coeff(*x);
                *r = r.scaled(&a).plus_scaled(&used, &-c);
            }
        }
        Echelon::of(rows)
    }

    /// The equations that follow from either system: the intersection of their row spaces (Zassenhaus). In the rows `(a, a)` and `(b, 0)`,
    /// what remains on the right when the left is eliminated is in both.
    pub(super) fn common(&self, other: &Echelon) -> Option<Echelon> {
        let last = self.rows.iter().chain(&other.rows).flat_map(|r| r.dims().last()).max().map_or(0, |d| d.0);
        // Column 0 is the constant, then the dimensions; the right copy follows.
        let width = last + 2;
        let left = |e: &LinExpr| {
            let terms = e.terms().iter().map(|(d, c)| (Dim(d.0 + 1), c.clone()));
            LinExpr::new(terms.chain([(Dim(0), e.constant_part().clone())]), 0)
        };
        let right = |e: &LinExpr| left(e).rename(|d| Dim(d.0 + width));
        let doubled = self.rows.iter().map(|r| left(r) + right(r)).chain(other.rows.iter().map(left));
        let both = Echelon::of(doubled)?;
        let back = |e: &LinExpr| {
            let terms = e.terms().iter().filter(|(d, _)| d.0 > width).map(|(d, c)| (Dim(d.0 - width - 1), c.clone()));
            LinExpr::new(terms, e.coeff(Dim(width)))
        };
        Echelon::of(both.rows.iter().filter(|r| r.terms()[0].0 .0 >= width).map(back))
    }

    /// An integer solution, if there is one. Equations alone need no search, so the answer is exact.
    pub(super) fn integer_solution(&self) -> Option<Point> {
        let equations: Vec<LinCons> = self.rows.iter().map(|r| LinCons::new(r.clone(), ConsKind::Eq)).collect();
        crate::integer::point(&equations)
    }
}
