//! Variadic functions: the caller lays its further arguments out in a block, the callee gets its address, and a
//! `va_list` is a pointer that walks over it.

use plumb_term::{Span, Term};

use super::expr::Operand;
use super::place::{LValue, Mem, Place, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::{Len, Ty, Types};

impl<'a> Lowerer<'a> {
    fn slot_size(&self, ty: Ty) -> u64 {
        self.types.size(ty).unwrap_or(1).max(1).next_multiple_of(self.pointer_ty().bytes())
    }

    /// Stores variadic arguments in a block of the caller.
    pub(super) fn pass_varargs(&mut self, values: &[Value], span: Span) -> Fallible<Value> {
        let mut promoted = Vec::with_capacity(values.len());
        for v in values {
            promoted.push(self.promote_argument(v, span)?);
        }
        let total: u64 = promoted.iter().map(|v| self.slot_size(v.ty)).sum();
        let block = self.types.array(Types::CHAR, Len::Fixed(total.max(1)));
        let mem = self.auto_object(format!("<varargs {}>", self.objects.len()), block, 16, span)?;
        let mut offset = 0;
        for v in &promoted {
            self.pts.stride(mem.node, offset);
            let place = LValue { ty: v.ty, place: Place::Mem(Mem { addr: mem.addr.plus(offset), ..mem }) };
            self.assign_place(&place, v, span)?;
            offset += self.slot_size(v.ty);
        }
        Ok(Value::new(Types::CHAR_PTR, mem.addr.wrap(self.pointer_ty()), Some(mem.node)))
    }

    pub(super) fn va_start(&mut self, list: &'a Expr, span: Span) -> Fallible<()> {
        let place = self.lvalue(list)?;
        let Some(v) = self.cx.varargs else {
            if self.cx.unevaluated == 0 {
                return self.invalid(span, "'va_start' in a function without variable arguments");
            }
            return Ok(());
        };
        let value = self.read_var(v, Types::CHAR_PTR);
        self.assign_place(&place, &value, span).map(|_| ())
    }

    pub(super) fn va_copy(&mut self, to: &'a Expr, from: &'a Expr, span: Span) -> Fallible<()> {
        let value = self.expr(from)?;
        let place = self.lvalue(to)?;
        self.assign_place(&place, &value, span).map(|_| ())
    }

    pub(super) fn va_arg(&mut self, list: &'a Expr, ty: &'a TypeName, span: Span) -> Fallible<Operand> {
        let ty = self.type_name(ty)?;
        let place = self.lvalue(list)?;
        let old = self.load(&place);
        let old = self.save(&old);
        let node = self.node_of(&old);
        let size = self.slot_size(ty);
        self.pts.stride(node, size);
        let next = Value::new(place.ty, old.term.plus(size).wrap(self.pointer_ty()), old.node);
        self.assign_place(&place, &next, span)?;
        self.guard(old.term.differs(Term::int(0)), plumb_cfa::Ub::NullDereference);
        let source = LValue { ty, place: Place::Mem(Mem { addr: old.term, node, shape: Shape::Raw, known: false }) };
        self.rvalue(Operand::Place(source), span).map(Operand::Value)
    }
}
