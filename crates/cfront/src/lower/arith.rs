//! Binary operators on arithmetic types.

use plumb_cfa::Ub;
use plumb_term::{FBinOp, FCmpOp, IBig, Scalar, Span, Term};

use super::expr::bool_value;
use super::place::Value;
use super::Lowerer;
use crate::ast::{BinaryOp, Expr};
use crate::lex::Fallible;
use crate::types::{Kind, Ty, Types};

impl<'a> Lowerer<'a> {
    pub(super) fn binary_expr(&mut self, op: BinaryOp, lhs: &'a Expr, rhs: &'a Expr, whole: &'a Expr) -> Fallible<Value> {
        if matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) {
            return self.logical(whole);
        }
        if let Some(test) = self.sign_compared(op, lhs, rhs)? {
            return Ok(bool_value(test));
        }
        let a = self.expr(lhs)?;
        let mark = self.cx.mark();
        let b = self.expr(rhs)?;
        let a = self.protect(mark, &a);
        self.cx.span = whole.span;
        self.binary(op, &a, &b, whole.span)
    }

    /// `a op b` for evaluated operands.
    pub(super) fn binary(&mut self, op: BinaryOp, a: &Value, b: &Value, span: Span) -> Fallible<Value> {
        for v in [a, b] {
            if let Kind::Unsupported(what) = self.types.kind(v.ty) {
                let what = (*what).to_owned();
                self.unsupported(span, what);
                return Ok(Value::plain(Types::INT, Term::int(0)));
            }
        }
        if !self.is_clear(op, a, b) {
            self.unsupported(span, "arithmetic on a bit-field wider than 'int'");
        }
        if self.types.is_pointer(a.ty) || self.types.is_pointer(b.ty) {
            return self.pointer_binary(op, a, b, span);
        }
        if !self.types.is_arithmetic(a.ty) || !self.types.is_arithmetic(b.ty) {
            return self
                .invalid(span, format!("operands of types '{}' and '{}' do not fit the operator", self.show(a.ty), self.show(b.ty)));
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            return self.shift(op, a, b, span);
        }
        let ty = self.types.usual(a.ty, b.ty);
        let (a, b) = (self.convert(a, ty, span)?, self.convert(b, ty, span)?);
        if let Some(compare) = comparison(op) {
            if self.types.integer(ty).is_some_and(|t| t.bits >= self.pointer_ty().bits) {
                self.compared(op, &a, &b);
            }
            return Ok(bool_value(compare(a.term, b.term, self.types.is_float(ty))));
        }
        if self.types.is_float(ty) {
            return self.float_binary(op, &a, &b, span);
        }
        self.int_binary(op, &a, &b, span)
    }

    fn float_binary(&mut self, op: BinaryOp, a: &Value, b: &Value, span: Span) -> Fallible<Value> {
        let op = match op {
            BinaryOp::Add => FBinOp::Add,
            BinaryOp::Sub => FBinOp::Sub,
            BinaryOp::Mul => FBinOp::Mul,
            BinaryOp::Div => FBinOp::Div,
            _ => return self.invalid(span, "the operator needs integers"),
        };
        Ok(Value::plain(a.ty, self.nearest(Term::fbin(op, a.term, b.term), span)))
    }

    fn int_binary(&mut self, op: BinaryOp, a: &Value, b: &Value, _span: Span) -> Fallible<Value> {
        let ty = a.ty;
        let (x, y) = (a.term, b.term);
        let term = match op {
            BinaryOp::Add => self.wrap_result(x.add(y), ty),
            BinaryOp::Sub => self.wrap_result(x.sub(y), ty),
            BinaryOp::Mul => self.wrap_result(x.mul(y), ty),
            BinaryOp::Div | BinaryOp::Rem => {
                self.guard(y.differs(Term::int(0)), Ub::DivisionByZero);
                if let Some(t) = self.types.integer(ty).filter(|t| t.signed && !self.ideal()) {
                    let overflow = x.equals(Term::int(t.min())).and(y.equals(Term::int(-1)));
                    self.guard(overflow.not(), Ub::SignedOverflow);
                }
                let quotient = if op == BinaryOp::Div { x.div(y) } else { x.rem(y) };
                self.wrap(quotient, ty)
            }
            BinaryOp::BitAnd => self.wrap(x.bit_and(y), ty),
            BinaryOp::BitOr => self.wrap(x.bit_or(y), ty),
            BinaryOp::BitXor => self.wrap(x.bit_xor(y), ty),
            _ => x,
        };
        let node = self.mix(a, b);
        Ok(Value::new(ty, term, node))
    }

    /// What the result of integer arithmetic may carry.
    pub(super) fn mix(&mut self, a: &Value, b: &Value) -> super::cx::Prov {
        match (a.node, b.node) {
            (None, None) => None,
            (x, y) => {
                let node = self.pts.fresh();
                for from in [x, y].into_iter().flatten() {
                    self.pts.flow(from, node, true);
                }
                Some(node)
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, a: &Value, b: &Value, span: Span) -> Fallible<Value> {
        if !self.types.is_integer(a.ty) || !self.types.is_integer(b.ty) {
            return self.invalid(span, "a shift needs integers");
        }
        let (ty, count_ty) = (self.types.promote(a.ty), self.types.promote(b.ty));
        let (a, b) = (self.convert(a, ty, span)?, self.convert(b, count_ty, span)?);
        let Some(t) = self.types.integer(ty) else { return Ok(a) };
        let limit = IBig::from(t.bits - 1);
        self.guard(b.term.within(&IBig::ZERO, &limit), Ub::ShiftCount);
        let term = if op == BinaryOp::Shl { self.wrap(a.term.shl(b.term), ty) } else { self.wrap(a.term.shr(b.term), ty) };
        let node = self.mix(&a, &b);
        Ok(Value::new(ty, term, node))
    }

    /// A compound assignment's operator on the promoted old value; the result in the type of the operation.
    pub(super) fn operate(&mut self, op: BinaryOp, old: &Value, rhs: &Value, span: Span) -> Fallible<Value> {
        use BinaryOp::*;
        // The low bits, which are stored, do not depend on the width of these.
        let wide = old.wide.filter(|_| !matches!(op, Add | Sub | Mul | Shl | BitAnd | BitOr | BitXor));
        self.binary(op, &Value { wide, ..*old }, rhs, span)
    }

    /// The zero of a scalar type.
    pub(super) fn zero(&self, ty: Ty) -> Term {
        match self.types.scalar(ty) {
            Some(Scalar::Float(f)) => Term::float(plumb_term::Float::zero(f)),
            _ => Term::int(0),
        }
    }
}

/// The term of a comparison, on floats or integers.
pub(crate) fn comparison(op: BinaryOp) -> Option<fn(Term, Term, bool) -> Term> {
    Some(match op {
        BinaryOp::Eq => |a, b, f| if f { Term::fcmp(FCmpOp::Eq, a, b) } else { a.equals(b) },
        BinaryOp::Ne => |a, b, f| if f { Term::fcmp(FCmpOp::Eq, a, b).not() } else { a.differs(b) },
        BinaryOp::Lt => |a, b, f| if f { Term::fcmp(FCmpOp::Lt, a, b) } else { a.less(b) },
        BinaryOp::Le => |a, b, f| if f { Term::fcmp(FCmpOp::Le, a, b) } else { a.less_eq(b) },
        BinaryOp::Gt => |a, b, f| if f { Term::fcmp(FCmpOp::Lt, b, a) } else { a.greater(b) },
        BinaryOp::Ge => |a, b, f| if f { Term::fcmp(FCmpOp::Le, b, a) } else { a.greater_eq(b) },
        _ => return None,
    })
}
