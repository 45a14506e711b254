//! The transfer functions: conditions and parallel assignments on elements of a numeric domain.

use super::linear::MAX_DEPTH;
use super::{dim, Numeric};
use plumb_cpa::Step;
use plumb_num::{Dim, LinCons, LinExpr, NumDomain};
use plumb_term::{Kind, Range, Sort, Term, VarId};

impl<D: NumDomain> Numeric<'_, D> {
    /// The successor along a step, if the element does not exclude it.
    pub(super) fn post(&self, e: &D::Elem, step: &Step) -> Option<D::Elem> {
        let before = self.assume(e, step.condition())?;
        let updates: Vec<(VarId, Term)> = step.updates().iter().filter(|u| self.is_number(u.0)).copied().collect();
        if updates.is_empty() {
            return Some(before);
        }
        // Exact assignments at once; the others by an interval around a linear form over the old values, through a copy.
        let forms: Vec<(VarId, super::linear::Form)> = updates.iter().map(|(v, t)| (*v, self.form(&before, *t, 0))).collect();
        let copies: Vec<Dim> = (0..forms.len()).map(|i| Dim(VarId::FIRST_AUX.0 + i as u32)).collect();
        let mut now = before;
        for ((v, form), copy) in forms.iter().zip(&copies) {
            now = match form.exact() {
                Some(expr) => self.domain.assign(&now, *copy, &expr),
                None => {
                    let end = |b: Option<i128>| b.map(|b| form.expr.clone() + LinExpr::constant(b));
                    self.domain.assign_between(&now, *copy, end(form.rest.lo).as_ref(), end(form.rest.hi).as_ref())
                }
            };
            // Every value lies in its variable's type.
            now = self.limit(&now, *copy, self.program.term(*v).range());
        }
        let targets: Vec<Dim> = forms.iter().map(|f| dim(f.0)).collect();
        now = self.domain.forget(&now, &targets);
        let map: Vec<(Dim, Dim)> = copies.into_iter().zip(targets).collect();
        let after = self.domain.rename(&now, &map);
        (!self.domain.is_bottom(&after)).then_some(after)
    }

    fn limit(&self, e: &D::Elem, x: Dim, r: Range) -> D::Elem {
        let mut out = e.clone();
        let known = self.domain.bounds(&out, &LinExpr::var(x));
        if let Some(lo) = r.lo.filter(|l| known.lo.as_ref().is_none_or(|k| *k < plumb_num::Int::from(*l))) {
            out = self.domain.assume(&out, &LinCons::ge(LinExpr::var(x), LinExpr::constant(lo)));
        }
        if let Some(hi) = r.hi.filter(|h| known.hi.as_ref().is_none_or(|k| *k > plumb_num::Int::from(*h))) {
            out = self.domain.assume(&out, &LinCons::le(LinExpr::var(x), LinExpr::constant(hi)));
        }
        out
    }

    /// The points in which a condition holds; `None` if there are none.
    pub(super) fn assume(&self, e: &D::Elem, t: Term) -> Option<D::Elem> {
        let out = self.assume_at(e, t, 0)?;
        (!self.domain.is_bottom(&out)).then_some(out)
    }

    fn assume_at(&self, e: &D::Elem, t: Term, depth: u32) -> Option<D::Elem> {
        let d = depth + 1;
        if depth > MAX_DEPTH {
            return Some(e.clone());
        }
        match t.kind() {
            Kind::Bool(b) => b.then(|| e.clone()),
            Kind::And(ts) => ts.iter().try_fold(e.clone(), |e, t| self.assume_at(&e, *t, d)),
            Kind::Or(ts) => {
                let parts = ts.iter().filter_map(|t| self.assume_at(e, *t, d)).filter(|e| !self.domain.is_bottom(e));
                parts.reduce(|a, b| self.domain.join(&a, &b))
            }
            Kind::Le(a, b) => Some(self.at_most(e, a.sub(*b), d)),
            Kind::Eq(a, b) if a.sort() == Sort::Int => match self.form(e, a.sub(*b), d).exact() {
                Some(expr) => Some(self.domain.assume(e, &LinCons::eq(expr, LinExpr::default()))),
                None => Some(self.at_most(&self.at_most(e, a.sub(*b), d), b.sub(*a), d)),
            },
            Kind::Not(n) => match n.kind() {
                Kind::Eq(a, b) if a.sort() == Sort::Int => match self.form(e, a.sub(*b), d).exact() {
                    Some(expr) => Some(self.domain.assume(e, &LinCons::ne(expr, LinExpr::default()))),
                    None => Some(e.clone()),
                },
                Kind::And(ts) => self.assume_at(e, Term::any(ts.iter().map(|t| t.not())), d),
                Kind::Or(ts) => self.assume_at(e, Term::all(ts.iter().map(|t| t.not())), d),
                _ => Some(e.clone()),
            },
            _ => Some(e.clone()),
        }
    }

    /// Keeps the points with `t ≤ 0`.
    fn at_most(&self, e: &D::Elem, t: Term, depth: u32) -> D::Elem {
        let f = self.form(e, t, depth);
        match f.rest.lo {
            Some(lo) => self.domain.assume(e, &LinCons::le(f.expr + LinExpr::constant(lo), LinExpr::default())),
            None => e.clone(),
        }
    }

    /// The truth of a condition, where the element decides it.
    pub(super) fn decide(&self, e: &D::Elem, t: Term, depth: u32) -> Option<bool> {
        if let Some(b) = t.as_bool() {
            return Some(b);
        }
        if depth > MAX_DEPTH {
            return None;
        }
        let is_none = |t: Term| self.assume_at(e, t, depth + 1).is_none_or(|x| self.domain.is_bottom(&x));
        if is_none(t) {
            Some(false)
        } else if is_none(t.not()) {
            Some(true)
        } else {
            None
        }
    }
}
