//! Terms as linear forms with an error: `t` lies in `expr + [lo, hi]`.

use super::{dim, Numeric};
use plumb_cfa::Program;
use plumb_num::{ConsKind, Interval, LinCons, LinExpr, NumDomain};
use plumb_term::visit::{linear_form, postorder};
use plumb_term::{IBig, Kind, Range, Sort, Term, VarId};

/// Terms and conditions nested deeper than this are not used: what is in them is unknown within its type.
pub(super) const MAX_DEPTH: u32 = 48;
/// Choices nested deeper than this are not looked into: each is evaluated several times.
const MAX_CHOICES: u32 = 6;

/// A linear form and the values that may come on top.
pub(super) struct Form {
    pub(super) expr: LinExpr,
    pub(super) rest: Range,
}

impl Form {
    fn within(rest: Range) -> Form {
        Form { expr: LinExpr::default(), rest }
    }

    /// The rest, if it is one number.
    pub(super) fn exact(&self) -> Option<LinExpr> {
        let k = self.rest.lo.filter(|l| self.rest.hi == Some(*l))?;
        Some(self.expr.clone() + LinExpr::constant(k))
    }
}

fn scale(k: &IBig, f: Form) -> Form {
    Form { expr: f.expr.scaled(&k.clone().into()), rest: f.rest.scale(k) }
}

fn plus(a: Form, b: Form) -> Form {
    Form { expr: a.expr + b.expr, rest: a.rest.plus(b.rest) }
}

fn to_range(i: &Interval) -> Range {
    Range { lo: i.lo.as_ref().and_then(|l| l.to_i128()), hi: i.hi.as_ref().and_then(|h| h.to_i128()) }
}

impl<D: NumDomain> Numeric<'_, D> {
    /// The values of a form.
    fn values(&self, e: &D::Elem, f: &Form) -> Range {
        to_range(&self.domain.bounds(e, &f.expr)).plus(f.rest)
    }

    /// The bounds of an integer term.
    pub(super) fn bounds(&self, e: &D::Elem, t: Term, depth: u32) -> Range {
        self.values(e, &self.form(e, t, depth)).intersection(t.range())
    }

    /// The linear form of an integer term.
    pub(super) fn form(&self, e: &D::Elem, t: Term, depth: u32) -> Form {
        if t.sort() != Sort::Int || depth > MAX_DEPTH {
            return Form::within(t.range());
        }
        let d = depth + 1;
        let range = |x: &Term| self.bounds(e, *x, d);
        match t.kind() {
            Kind::Int(v) => Form { expr: LinExpr::constant(plumb_num::Int::from(v.clone())), rest: Range::new(0, 0) },
            Kind::Var(v) if self.is_number(v.id) => Form { expr: LinExpr::var(dim(v.id)), rest: Range::new(0, 0) },
            Kind::Lin(lin) => {
                let zero = Form { expr: LinExpr::constant(plumb_num::Int::from(lin.constant.clone())), rest: Range::new(0, 0) };
                lin.parts.iter().fold(zero, |sum, (k, a)| plus(sum, scale(k, self.form(e, *a, d))))
            }
            Kind::Wrap(ty, a) => {
                let inner = self.form(e, *a, d);
                if self.values(e, &inner).fits(*ty) {
                    inner
                } else {
                    Form::within(Range::of_type(*ty))
                }
            }
            Kind::Ite(c, a, b) if depth < MAX_CHOICES => match self.decide(e, *c, d) {
                Some(true) => self.form(e, *a, d),
                Some(false) => self.form(e, *b, d),
                None => Form::within(range(a).join(range(b))),
            },
            Kind::Mul(a, b) => {
                let (x, y) = (range(a), range(b));
                match (x.lo.filter(|l| x.hi == Some(*l)), y.lo.filter(|l| y.hi == Some(*l))) {
                    (Some(k), _) => scale(&IBig::from(k), self.form(e, *b, d)),
                    (_, Some(k)) => scale(&IBig::from(k), self.form(e, *a, d)),
                    _ => Form::within(x.times(y)),
                }
            }
            Kind::Div(a, b) => Form::within(range(a).quotients(range(b))),
            Kind::Rem(a, b) => Form::within(range(a).remainders(range(b))),
            _ => Form::within(t.range()),
        }
    }
}

/// The linear inequalities among the atoms of a condition, both ways.
pub(crate) fn lin_cons(t: Term) -> Vec<LinCons> {
    let mut out = Vec::new();
    for n in postorder([t]) {
        let (Kind::Le(a, b) | Kind::Eq(a, b)) = n.kind() else { continue };
        if a.sort() != Sort::Int {
            continue;
        }
        let (constant, parts) = linear_form(a.sub(*b));
        let terms: Option<Vec<_>> = parts.iter().map(|(k, x)| x.as_var().map(|v| (dim(v.id), plumb_num::Int::from(k.clone())))).collect();
        if let Some(terms) = terms.filter(|t| !t.is_empty()) {
            let expr = LinExpr::new(terms, plumb_num::Int::from(constant));
            let zero = LinExpr::default();
            out.extend([LinCons::le(expr.clone(), zero.clone()), LinCons::ge(expr, zero)]);
        }
    }
    out
}

/// A constraint as a formula over the program's variables; none if a coefficient is beyond 128 bits.
pub(super) fn to_term(program: &Program, c: &LinCons) -> Option<Term> {
    let constant = c.expr().constant_part().to_i128()?;
    let mut sum = Term::int(constant);
    for (d, k) in c.expr().terms() {
        sum = sum.add(program.term(VarId(d.0)).scale(&IBig::from(k.to_i128()?)));
    }
    Some(match c.kind() {
        ConsKind::Eq => sum.equals(Term::int(0)),
        ConsKind::Ge => Term::int(0).less_eq(sum),
        ConsKind::Ne => sum.differs(Term::int(0)),
    })
}
