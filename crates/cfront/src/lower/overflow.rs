//! `__builtin_add_overflow` and its like: the exact result over ℤ, and whether it fits.

use plumb_term::{Span, Term};

use super::expr::bool_value;
use super::place::{LValue, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::IntKind;

impl<'a> Lowerer<'a> {
    pub(super) fn overflow_builtin(&mut self, name: &str, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        let Some(rest) = name.strip_prefix("__builtin_") else { return Ok(None) };
        let (rest, predicate) = match (rest.strip_suffix("_overflow_p"), rest.strip_suffix("_overflow")) {
            (Some(r), _) => (r, true),
            (_, Some(r)) => (r, false),
            _ => return Ok(None),
        };
        let fixed = match rest {
            "add" | "sub" | "mul" => None,
            _ => {
                let Some(kind) = fixed_kind(rest) else { return Ok(None) };
                Some(kind)
            }
        };
        let op = rest.trim_start_matches(['s', 'u']).trim_end_matches('l');
        let op = if rest.starts_with("sub") || rest.starts_with("ssub") || rest.starts_with("usub") { "sub" } else { op };
        let [a, b, out] = args else { return Ok(None) };
        let (mut x, mark) = (self.expr(a)?, self.cx.mark());
        let mut y = self.expr(b)?;
        x = self.protect(mark, &x);
        if let Some(kind) = fixed {
            let ty = self.types.int(kind);
            x = self.convert(&x, ty, span)?;
            y = self.convert(&y, ty, span)?;
        }
        let exact = match op {
            "add" => x.term.add(y.term),
            "sub" => x.term.sub(y.term),
            _ => x.term.mul(y.term),
        };
        let exact = Value::plain(crate::types::Types::INT, exact);
        if predicate {
            let ty = self.rvalue_type(out)?;
            let Some(t) = self.types.integer(ty) else { return self.invalid(out.span, "an overflow builtin needs integers") };
            return Ok(Some(bool_value(exact.term.within(&t.min(), &t.max()).not())));
        }
        let mark = self.cx.mark();
        let place = self.out_place(out)?;
        let Some(t) = self.types.integer(place.ty) else { return self.invalid(out.span, "an overflow builtin needs integers") };
        let (x2, y2) = (self.protect(mark, &x), self.protect(mark, &y));
        let exact = match op {
            "add" => x2.term.add(y2.term),
            "sub" => x2.term.sub(y2.term),
            _ => x2.term.mul(y2.term),
        };
        let overflow = exact.within(&t.min(), &t.max()).not();
        // The operands may be the place itself: decide before the store.
        let flag = self.save(&bool_value(overflow));
        let node = self.mix(&x2, &y2);
        let value = Value::new(place.ty, if self.ideal() { exact } else { exact.wrap(t) }, node);
        self.store(&place, &value);
        Ok(Some(bool_value(flag.term.differs(Term::int(0)))))
    }

    /// What the pointer argument points to; `&x` is `x` itself.
    fn out_place(&mut self, out: &'a Expr) -> Fallible<LValue> {
        if let ExprKind::Unary { op: UnaryOp::AddrOf, operand } = &out.kind {
            return self.lvalue(operand);
        }
        let p = self.expr(out)?;
        self.pointee_place(&p, true, out.span)
    }
}

/// The operand type of `saddl`, `umulll` and their like.
fn fixed_kind(name: &str) -> Option<IntKind> {
    let signed = name.starts_with('s');
    let body = name.strip_prefix(['s', 'u'])?;
    let size = body.strip_prefix("add").or_else(|| body.strip_prefix("sub")).or_else(|| body.strip_prefix("mul"))?;
    Some(match (size, signed) {
        ("", true) => IntKind::Int,
        ("", false) => IntKind::UInt,
        ("l", true) => IntKind::Long,
        ("l", false) => IntKind::ULong,
        ("ll", true) => IntKind::LLong,
        ("ll", false) => IntKind::ULLong,
        _ => return None,
    })
}
