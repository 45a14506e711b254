//! Arithmetic and comparisons with pointers.

use plumb_term::{Span, Term};

use super::arith::comparison;
use super::expr::bool_value;
use super::place::Value;
use super::Lowerer;
use crate::ast::BinaryOp;
use crate::lex::Fallible;

impl Lowerer<'_> {
    /// `a op b` where one of them is a pointer.
    pub(super) fn pointer_binary(&mut self, op: BinaryOp, a: &Value, b: &Value, span: Span) -> Fallible<Value> {
        if let Some(compare) = comparison(op) {
            self.compared(op, a, b);
            let pointer = self.pointer_ty();
            return Ok(bool_value(compare(a.term.wrap(pointer), b.term.wrap(pointer), false)));
        }
        match (op, self.types.is_pointer(a.ty), self.types.is_pointer(b.ty)) {
            (BinaryOp::Add, true, false) => self.pointer_add(a, b, false, span),
            (BinaryOp::Add, false, true) => self.pointer_add(b, a, false, span),
            (BinaryOp::Sub, true, false) => self.pointer_add(a, b, true, span),
            (BinaryOp::Sub, true, true) => {
                let size = self.types.pointee(a.ty).and_then(|t| self.size_term(t)).unwrap_or_else(|| Term::int(1));
                let ty = self.types.ptrdiff_t();
                let (int, plain) = (self.types.integer(ty), a.term.sub(b.term));
                let bytes = int.map_or(plain, |t| plain.wrap(t));
                // A difference carries no pointer: adding it to another pointer into the same object stays in that object.
                Ok(Value::plain(ty, bytes.div(size)))
            }
            _ => self.invalid(span, format!("operands of types '{}' and '{}' do not fit the operator", self.show(a.ty), self.show(b.ty))),
        }
    }

    /// Values that are equal may be used for one another: a pointer from outside that turns out to be that of an object, or an integer that is its address.
    pub(super) fn compared(&mut self, op: BinaryOp, a: &Value, b: &Value) {
        let (Some(x), Some(y)) = (a.node, b.node) else { return };
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) && self.cx.unevaluated == 0 {
            self.pts.flow(x, y, false);
            self.pts.flow(y, x, false);
        }
    }

    /// `p + i` or `p - i`, in elements.
    pub(super) fn pointer_add(&mut self, p: &Value, i: &Value, negative: bool, span: Span) -> Fallible<Value> {
        let Some(size) = self.types.pointee(p.ty).and_then(|t| self.size_term(t)) else {
            return self.invalid(span, format!("the size of what a '{}' points to is not known", self.show(p.ty)));
        };
        if !self.types.is_integer(i.ty) {
            return self.invalid(span, "pointer arithmetic needs an integer");
        }
        if let Some(node) = p.node {
            self.record_step(node, i.term, size);
        }
        let bytes = i.term.mul(size);
        let sum = if negative { p.term.sub(bytes) } else { p.term.add(bytes) };
        Ok(Value::new(p.ty, sum.wrap(self.pointer_ty()), p.node))
    }
}
