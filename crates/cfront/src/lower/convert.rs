//! Conversions between scalar types (C11 6.3).

use plumb_cfa::{InputSource, Op, Ub};
use plumb_term::{FCmpOp, Float, FloatTy, IBig, IntTy, RoundMode, Scalar, Span, Term};

use super::cx::Prov;
use super::place::Value;
use super::Lowerer;
use crate::lex::Fallible;
use crate::types::{Kind, Ty, Types};

impl Lowerer<'_> {
    /// The value in the range of an integer or pointer type, unless integers are ideal.
    pub(super) fn wrap(&self, term: Term, ty: Ty) -> Term {
        match self.types.scalar(ty) {
            Some(Scalar::Int(_)) if self.ideal() && self.types.is_integer(ty) => term,
            Some(Scalar::Int(t)) => term.wrap(t),
            _ => term,
        }
    }

    /// `v` converted to `ty`, as by assignment or cast.
    pub(super) fn convert(&mut self, v: &Value, ty: Ty, span: Span) -> Fallible<Value> {
        if v.ty == ty {
            return Ok(Value { wide: None, ..*v });
        }
        if ty == Types::VOID {
            return Ok(Value::void());
        }
        if let Kind::Function(_) = self.types.kind(v.ty) {
            let decayed = Value { ty: self.types.pointer(v.ty), ..*v };
            return self.convert(&decayed, ty, span);
        }
        if let Some(what) = self.unsupported_kind(ty).or_else(|| self.unsupported_kind(v.ty)) {
            self.unsupported(span, what);
            return Ok(Value::plain(ty, Term::int(0)));
        }
        let (Some(from), Some(to)) = (self.types.scalar(v.ty), self.types.scalar(ty)) else {
            if self.types.is_record(ty) && self.types.is_record(v.ty) && self.types.size(ty) == self.types.size(v.ty) {
                // The same structure seen through two declarations (two units, or an incomplete one completed later).
                return Ok(Value { ty, ..*v });
            }
            if self.types.as_array(ty).is_some() && v.mem.is_some() {
                return Ok(*v);
            }
            return self.invalid(span, format!("cannot convert '{}' to '{}'", self.show(v.ty), self.show(ty)));
        };
        if *self.types.kind(ty) == Kind::Bool {
            let c = self.truth(v, span)?;
            return Ok(Value::plain(ty, Term::ite(c, Term::int(1), Term::int(0))));
        }
        let term = match (from, to) {
            (Scalar::Int(_), Scalar::Int(_)) => {
                if self.types.is_pointer(ty) {
                    v.term.wrap(self.pointer_ty())
                } else {
                    self.wrap(v.term, ty)
                }
            }
            (Scalar::Int(_), Scalar::Float(f)) if Self::is_exact(from, f) => Term::ffrom_int(f, v.term),
            (Scalar::Int(_), Scalar::Float(f)) => self.nearest(Term::ffrom_int(f, v.term), span),
            (Scalar::Float(_), Scalar::Float(f)) if Self::is_exact(from, f) => Term::fcast(f, v.term),
            (Scalar::Float(_), Scalar::Float(f)) => self.nearest(Term::fcast(f, v.term), span),
            (Scalar::Float(f), Scalar::Int(t)) => self.float_to_int(v.term, f, t),
        };
        let node = match (from, to) {
            (Scalar::Int(_), Scalar::Int(_)) if self.types.is_pointer(ty) && !self.types.is_pointer(v.ty) => self.number_node(v),
            (Scalar::Int(_), Scalar::Int(_)) => v.node,
            _ => None,
        };
        Ok(Value::new(ty, term, node))
    }

    /// What an integer points to as a pointer.
    fn number_node(&mut self, v: &Value) -> Prov {
        if self.cx.unevaluated > 0 || v.term.as_int().is_some_and(|n| *n == IBig::ZERO) {
            return v.node;
        }
        let node = v.node.unwrap_or_else(|| self.pts.fresh());
        self.pts.mark_numbers(node);
        Some(node)
    }

    fn unsupported_kind(&self, ty: Ty) -> Option<&'static str> {
        match self.types.kind(ty) {
            Kind::Unsupported(what) => Some(what),
            _ => None,
        }
    }

    fn float_to_int(&mut self, x: Term, from: FloatTy, to: IntTy) -> Term {
        self.guard(float_fits(x, from, to), Ub::FloatToInt);
        Term::fto_int(to, x)
    }

    /// A float that is integral, as an integer; any number if it is out of range, as of `lround`.
    pub(super) fn integral_or_any(&mut self, v: &Value, ty: Ty, name: &str, span: Span) -> Fallible<Value> {
        let (Some(Scalar::Float(from)), Some(Scalar::Int(to))) = (self.types.scalar(v.ty), self.types.scalar(ty)) else {
            return self.convert(v, ty, span);
        };
        let fits = float_fits(v.term, from, to);
        if self.cx.unevaluated > 0 || fits.is_true() {
            return self.convert(v, ty, span);
        }
        let result = self.temp(ty);
        let end = self.cx.new_loc();
        let (yes, no) = self.fork(fits);
        self.cx.edge(yes, end, Op::Assign(vec![(result, Term::fto_int(to, v.term))]));
        self.cx.cur = no;
        let any = self.havoc(ty, InputSource::Abstracted(name.to_owned()));
        let from = self.cx.cur;
        self.cx.edge(from, end, Op::Assign(vec![(result, any.term)]));
        self.cx.cur = end;
        Ok(self.read_var(result, ty))
    }

    /// A result of arithmetic in type `ty`, computed over ℤ.
    pub(super) fn wrap_result(&mut self, term: Term, ty: Ty) -> Term {
        let Some(t) = self.types.integer(ty) else { return term };
        if self.ideal() {
            return term;
        }
        if t.signed && self.semantics.signed_overflow == plumb_cfa::SignedOverflow::Assume {
            self.guard(term.within(&t.min(), &t.max()), Ub::SignedOverflow);
        }
        term.wrap(t)
    }

    /// Default argument promotions.
    pub(super) fn promote_argument(&mut self, v: &Value, span: Span) -> Fallible<Value> {
        let ty = match self.types.kind(v.ty) {
            Kind::Float(crate::types::FloatKind::Float) => Types::DOUBLE,
            Kind::Function(_) => self.types.pointer(v.ty),
            _ => self.types.promote(v.ty),
        };
        self.convert(v, ty, span)
    }
}

/// Whether a float, truncated, is in the range of an integer type.
fn float_fits(x: Term, from: FloatTy, to: IntTy) -> Term {
    // The truncated value is in range iff min − 1 < x < max + 1; where min − 1 is not a number of the format, iff min ≤ x.
    let below = to.min() - IBig::ONE;
    let exact = Float::from_int(from, &below);
    let low = if exact.to_int(RoundMode::TowardZero).as_ref() == Some(&below) {
        Term::fcmp(FCmpOp::Lt, Term::float(exact), x)
    } else {
        Term::fcmp(FCmpOp::Le, Term::float(Float::from_int(from, &to.min())), x)
    };
    let above = Float::from_int(from, &(to.max() + IBig::ONE));
    let high = if above.is_finite() { Term::fcmp(FCmpOp::Lt, x, Term::float(above)) } else { Term::tt() };
    let infinite = Term::ftest(plumb_term::FTest::Infinite, x).not();
    if above.is_finite() {
        low.and(high)
    } else {
        low.and(infinite)
    }
}
