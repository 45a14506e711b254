//! A formula under known bounds of its variables, with what the bounds decide folded away.
//!
//! **Contract.** For all values within the bounds the result equals the formula. Conditions are looked at before what they choose from, so that what is not chosen
//! costs nothing: a large formula that a few variables decide becomes a small one in time that depends on the small one.

use plumb_term::visit::{linear_form, rebuild};
use plumb_term::{Kind, Range, Sort, Term, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Bounds of integer variables.
pub(crate) type Bounds = BTreeMap<Var, Range>;

/// `formula` within `bounds`.
pub(crate) fn reduced(formula: Term, bounds: &Bounds) -> Term {
    Reducer { bounds, done: FxHashMap::default() }.run(formula)
}

/// What became of a term.
#[derive(Clone, Copy)]
struct Done {
    term: Term,
    /// The values of an integer.
    range: Range,
}

struct Reducer<'a> {
    bounds: &'a Bounds,
    done: FxHashMap<Term, Done>,
}

/// How to go on with a term.
enum Next {
    Finished(Term),
    /// After this operand.
    After(Term),
}

impl Reducer<'_> {
    fn run(&mut self, formula: Term) -> Term {
        let mut stack = vec![(formula, 0usize)];
        while let Some((n, at)) = stack.last_mut() {
            let next = if self.done.contains_key(n) { None } else { Some(self.look(*n, at)) };
            match next {
                None => {
                    stack.pop();
                }
                Some(Next::After(operand)) => stack.push((operand, 0)),
                Some(Next::Finished(term)) => {
                    let n = *n;
                    let range = if n.sort() == Sort::Int { self.range(n, term) } else { Range::ALL };
                    let term = match (range.lo, range.hi) {
                        (Some(lo), Some(hi)) if lo == hi => Term::int(lo),
                        _ => term,
                    };
                    self.done.insert(n, Done { term, range });
                    stack.pop();
                }
            }
        }
        self.done[&formula].term
    }

    /// Looks at operands from the `at`-th on, as far as they are needed.
    fn look(&self, n: Term, at: &mut usize) -> Next {
        match n.kind() {
            Kind::And(parts) | Kind::Or(parts) => {
                let absorbing = matches!(n.kind(), Kind::Or(_));
                while let Some(p) = parts.get(*at) {
                    match self.done.get(p) {
                        None => return Next::After(*p),
                        Some(d) if d.term == Term::bool(absorbing) => return Next::Finished(d.term),
                        Some(_) => *at += 1,
                    }
                }
            }
            Kind::Ite(c, a, b) => match self.done.get(c) {
                None => return Next::After(*c),
                Some(d) if d.term.is_true() => return self.chosen(*a),
                Some(d) if d.term.is_false() => return self.chosen(*b),
                Some(_) => {}
            },
            Kind::Wrap(ty, a) => match self.done.get(a) {
                Some(d) if d.range.fits(*ty) => return Next::Finished(d.term),
                _ => {}
            },
            _ => {}
        }
        match n.children().find(|c| !self.done.contains_key(c)) {
            Some(c) => Next::After(c),
            None => Next::Finished(self.decided(rebuild(n, &|c| self.done[&c].term))),
        }
    }

    fn chosen(&self, t: Term) -> Next {
        self.done.get(&t).map_or(Next::After(t), |d| Next::Finished(d.term))
    }

    /// The values of an integer, whose operands are done unless they are not needed.
    fn range(&self, n: Term, term: Term) -> Range {
        let of = |t: &Term| self.done.get(t).map_or_else(|| t.range(), |d| d.range);
        let by_operands = match n.kind() {
            Kind::Var(v) => self.bounds.get(v).copied().unwrap_or(Range::ALL),
            Kind::Lin(lin) => lin.parts.iter().fold(Range::of_value(&lin.constant), |r, (k, a)| r.plus(of(a).scale(k))),
            Kind::Ite(c, a, b) => match self.done.get(c).map(|d| d.term) {
                Some(c) if c.is_true() => of(a),
                Some(c) if c.is_false() => of(b),
                _ => of(a).join(of(b)),
            },
            Kind::Mul(a, b) => of(a).times(of(b)),
            Kind::Div(a, b) => of(a).quotients(of(b)),
            Kind::Rem(a, b) => of(a).remainders(of(b)),
            Kind::Wrap(ty, a) if of(a).fits(*ty) => of(a),
            _ => Range::ALL,
        };
        by_operands.intersection(n.range()).intersection(term.range())
    }

    /// A comparison that bounds decide is decided.
    fn decided(&self, t: Term) -> Term {
        let (Kind::Le(a, b) | Kind::Eq(a, b)) = t.kind() else { return t };
        if a.sort() != Sort::Int {
            return t;
        }
        let (constant, parts) = linear_form(a.sub(*b));
        let of = |t: &Term| match t.as_var().and_then(|v| self.bounds.get(&v)) {
            Some(r) => r.intersection(t.range()),
            None => self.done.get(t).map_or_else(|| t.range(), |d| d.range),
        };
        let difference = parts.iter().fold(Range::of_value(&constant), |r, (k, x)| r.plus(of(x).scale(k)));
        match t.kind() {
            Kind::Le(..) if difference.hi.is_some_and(|h| h <= 0) => Term::tt(),
            Kind::Le(..) if difference.lo.is_some_and(|l| l > 0) => Term::ff(),
            Kind::Eq(..) if !difference.contains(0) => Term::ff(),
            _ => t,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{IntTy, Scalar, VarId, VarTy};

    fn variable(i: u32) -> Var {
        Var::new(VarId(i), VarTy::Scalar(Scalar::Int(IntTy::I32)))
    }

    #[test]
    fn bounds_decide() {
        let (x, y) = (Term::var(variable(0)), Term::var(variable(1)));
        let bounds = Bounds::from([(variable(0), Range::new(3, 5)), (variable(1), Range::new(7, 7))]);
        let reduce = |t: Term| reduced(t, &bounds);
        assert!(reduce(x.less_eq(y)).is_true() && reduce(y.less_eq(x)).is_false());
        assert!(reduce(x.equals(Term::int(6))).is_false());
        assert_eq!(reduce(x.plus(1).wrap(IntTy::I32).less_eq(Term::int(5))), x.less_eq(Term::int(4)));
        let chosen = Term::ite(x.less_eq(Term::int(9)), y.mul(Term::int(2)), x.mul(x));
        assert_eq!(reduce(chosen), Term::int(14));
        assert!(reduce(x.rem(Term::int(10)).less_eq(Term::int(2))).is_false(), "by the bounds of remainders");
    }
}
