//! What conditions and assignments ask of a numeric domain.
//!
//! Linear conditions and assignments are exact, disjunctions and conditional values are joins, everything else is forgotten. A wrap
//! is the identity where the intervals or the element itself say that it is idle.

use std::collections::BTreeSet;

use plumb_cfa::Program;
use plumb_num::{Dim, Int, LinCons, LinExpr, NumDomain};
use plumb_term::{IntTy, Kind, Sort, Term, VarId};
use plumb_transform::interval::env::Env;
use plumb_transform::interval::transfer::Eval;

use crate::space::{Frame, Space};

/// Terms nested deeper than this count as unknown.
const MAX_DEPTH: u32 = 32;
/// Comparisons kept as thresholds of an analysis.
const MAX_THRESHOLDS: usize = 40;

/// One place of the program: what is needed to read its terms.
pub struct Place<'a, D: NumDomain> {
    pub domain: &'a D,
    pub program: &'a Program,
    pub space: &'a Space,
    pub frame: Frame,
    /// The intervals there.
    pub env: &'a Env,
}

impl<D: NumDomain> Place<'_, D> {
    fn dim(&self, v: VarId) -> Option<Dim> {
        self.space.dim(self.program, self.frame, v)
    }

    /// A term as a linear expression that equals it on `e`.
    fn linear(&self, e: &D::Elem, t: Term, depth: u32) -> Option<LinExpr> {
        if depth > MAX_DEPTH || t.sort() != Sort::Int {
            return None;
        }
        match t.kind() {
            Kind::Int(k) => Some(LinExpr::constant(Int::from(k.clone()))),
            Kind::Var(v) if v.id < VarId::FIRST_AUX => self.dim(v.id).map(LinExpr::var),
            Kind::Lin(lin) => {
                let start = LinExpr::constant(Int::from(lin.constant.clone()));
                lin.parts
                    .iter()
                    .try_fold(start, |sum, (k, a)| Some(sum.plus_scaled(&self.linear(e, *a, depth + 1)?, &Int::from(k.clone()))))
            }
            Kind::Wrap(ty, a) => {
                let inner = self.linear(e, *a, depth + 1)?;
                (Eval::new(self.program, self.env).range(*a).fits(*ty) || self.fits(e, &inner, *ty)).then_some(inner)
            }
            _ => None,
        }
    }

    fn fits(&self, e: &D::Elem, x: &LinExpr, ty: IntTy) -> bool {
        let b = self.domain.bounds(e, x);
        b.lo.is_some_and(|l| l >= Int::from(ty.min())) && b.hi.is_some_and(|h| h <= Int::from(ty.max()))
    }

    fn compare(&self, e: &D::Elem, a: Term, b: Term, make: fn(LinExpr, LinExpr) -> LinCons) -> Option<LinCons> {
        Some(make(self.linear(e, a, 0)?, self.linear(e, b, 0)?)).filter(|c| !c.is_always())
    }

    /// The states of `e` in which `t` is true, or more; comparisons are added to `seen`.
    pub fn assume(&self, e: &D::Elem, t: Term, depth: u32, seen: &mut BTreeSet<LinCons>) -> D::Elem {
        let d = self.domain;
        if depth > MAX_DEPTH {
            return e.clone();
        }
        let known = match t.kind() {
            Kind::Bool(true) => None,
            Kind::Bool(false) => return d.bottom(),
            Kind::And(ts) => return ts.iter().fold(e.clone(), |e, t| self.assume(&e, *t, depth + 1, seen)),
            Kind::Or(ts) => return self.either(e, ts.iter().copied(), depth, seen),
            Kind::Le(a, b) => self.compare(e, *a, *b, LinCons::le),
            Kind::Eq(a, b) => self.compare(e, *a, *b, LinCons::eq),
            Kind::Not(n) => match n.kind() {
                Kind::And(ts) => return self.either(e, ts.iter().map(|t| t.not()), depth, seen),
                Kind::Or(ts) => return ts.iter().fold(e.clone(), |e, t| self.assume(&e, t.not(), depth + 1, seen)),
                Kind::Le(a, b) => self.compare(e, *a, *b, LinCons::gt),
                Kind::Eq(a, b) => self.compare(e, *a, *b, LinCons::ne),
                _ => None,
            },
            _ => None,
        };
        let Some(c) = known else { return e.clone() };
        if seen.len() < MAX_THRESHOLDS {
            seen.extend(c.inequalities());
        }
        d.assume(e, &c)
    }

    fn either(&self, e: &D::Elem, ts: impl Iterator<Item = Term>, depth: u32, seen: &mut BTreeSet<LinCons>) -> D::Elem {
        let cases = ts.map(|t| self.assume(e, t, depth + 1, seen));
        cases.reduce(|a, b| self.domain.join(&a, &b)).unwrap_or_else(|| self.domain.bottom())
    }

    /// The parallel assignment of terms to dimensions. `None` as a term is any value.
    pub fn assign(&self, e: &D::Elem, updates: &[(Dim, Option<Term>)]) -> D::Elem {
        let d = self.domain;
        if let [(x, Some(t))] = updates {
            if let Kind::Ite(c, a, b) = t.kind() {
                let mut ignored = BTreeSet::new();
                let yes = self.assign_one(&self.assume(e, *c, 0, &mut ignored), *x, *a);
                let no = self.assign_one(&self.assume(e, c.not(), 0, &mut ignored), *x, *b);
                return d.join(&yes, &no);
            }
        }
        let (mut linear, mut unknown) = (Vec::new(), Vec::new());
        for (x, t) in updates {
            match t.and_then(|t| self.linear(e, t, 0)) {
                Some(value) => linear.push((*x, value)),
                None => unknown.push(*x),
            }
        }
        let out = d.assign_parallel(e, &linear);
        if unknown.is_empty() {
            out
        } else {
            d.forget(&out, &unknown)
        }
    }

    fn assign_one(&self, e: &D::Elem, x: Dim, t: Term) -> D::Elem {
        match self.linear(e, t, 0) {
            Some(value) => self.domain.assign(e, x, &value),
            None => self.domain.forget(e, &[x]),
        }
    }

    /// The updates of variables that have dimensions; inputs are any value.
    pub fn updates(&self, updates: &[(VarId, Term)]) -> Vec<(Dim, Option<Term>)> {
        updates.iter().filter_map(|(v, t)| Some((self.dim(*v)?, Some(*t)))).collect()
    }
}
