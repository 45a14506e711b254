//! Assignments, increments, loads and stores.

use plumb_cfa::Op;
use plumb_term::{Scalar, Span, Term};

use super::place::{LValue, Place, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::{Kind, Types};

impl<'a> Lowerer<'a> {
    /// The scalar in a place.
    pub(super) fn load(&mut self, place: &LValue) -> Value {
        match place.place {
            Place::Var(v) => self.read_var(v, place.ty),
            Place::Bits { mem, shift, width } => self.load_bits(&mem, shift, width, place.ty),
            Place::Mem(mem) => {
                let Some(scalar) = self.types.scalar(place.ty) else { return Value::aggregate(place.ty, mem) };
                let pointer = self.types.is_pointer(place.ty);
                self.pts.access(mem.node, mem.shape, scalar, pointer);
                self.cx.loads += 1;
                let node = self.pts.contents(mem.node, pointer);
                Value::new(place.ty, Term::load(scalar, self.memory(mem.node), mem.addr), Some(node))
            }
        }
    }

    /// Writes a scalar that has the place's type; returns what the place holds then.
    pub(super) fn store(&mut self, place: &LValue, value: &Value) -> Value {
        match place.place {
            Place::Var(v) => {
                self.set_var(v, value);
                *value
            }
            Place::Bits { mem, shift, width } => self.store_bits(&mem, shift, width, value),
            Place::Mem(mem) => {
                if let Some((var, memory)) = self.store_term(place, value, self.memory(mem.node)) {
                    self.cx.emit(Op::Assign(vec![(var, memory)]));
                }
                *value
            }
        }
    }

    /// The update of `memory` (that of the place's node) by a store.
    pub(super) fn store_term(&mut self, place: &LValue, value: &Value, memory: Term) -> Option<(plumb_term::VarId, Term)> {
        let Place::Mem(mem) = place.place else { return None };
        let scalar = self.types.scalar(place.ty)?;
        let pointer = self.types.is_pointer(place.ty);
        self.pts.access(mem.node, mem.shape, scalar, pointer);
        let contents = self.pts.contents(mem.node, pointer);
        self.flow(value, place.ty, contents);
        let term = match scalar {
            Scalar::Int(t) => value.term.wrap(t),
            Scalar::Float(_) => value.term,
        };
        Some((Self::memory_var(mem.node), Term::store(scalar, memory, mem.addr, term)))
    }

    /// Assigns any value, converted, to a place.
    pub(super) fn assign_place(&mut self, place: &LValue, value: &Value, span: Span) -> Fallible<Value> {
        let value = self.convert(value, place.ty, span)?;
        match (place.place, value.mem) {
            (Place::Mem(to), Some(from)) if self.types.scalar(place.ty).is_none() => {
                self.copy(to, from, place.ty, span)?;
                Ok(Value::aggregate(place.ty, to))
            }
            _ if self.types.scalar(place.ty).is_none() => match self.types.kind(place.ty) {
                Kind::Unsupported(_) => Ok(value),
                _ => self.invalid(span, format!("cannot assign to a place of type '{}'", self.show(place.ty))),
            },
            _ => Ok(self.store(place, &value)),
        }
    }

    pub(super) fn assign_expr(&mut self, op: Option<BinaryOp>, lhs: &'a Expr, rhs: &'a Expr, used: bool, span: Span) -> Fallible<Value> {
        let Some(op) = op else {
            let value = match &rhs.kind {
                // The result object of the callee is read at once, unless the place is found by calls: they may be of the same function.
                ExprKind::Call { .. } if calls_nothing(lhs) => self.call_expr(rhs, true)?,
                _ => self.expr(rhs)?,
            };
            let mark = self.cx.mark();
            let place = self.lvalue(lhs)?;
            let value = self.protect(mark, &value);
            self.cx.span = span;
            let value = self.keep(&place, &value, used, span)?;
            let stored = self.assign_place(&place, &value, span)?;
            return Ok(self.stored_value(&place, stored));
        };
        let value = self.expr(rhs)?;
        let mark = self.cx.mark();
        let place = self.lvalue(lhs)?;
        let value = self.protect(mark, &value);
        let place = self.fix_place(place);
        self.cx.span = span;
        let old = self.load(&place);
        let new = self.operate(op, &old, &value, span)?;
        let new = self.keep(&place, &new, used, span)?;
        let stored = self.assign_place(&place, &new, span)?;
        Ok(self.stored_value(&place, stored))
    }

    /// The value to be stored, in a variable if it is used after the store: its term may read what the store changes.
    fn keep(&mut self, place: &LValue, value: &Value, used: bool, span: Span) -> Fallible<Value> {
        if !used || matches!(place.place, Place::Var(_)) || self.types.scalar(place.ty).is_none() {
            return Ok(*value);
        }
        let value = self.convert(value, place.ty, span)?;
        Ok(self.save(&value))
    }

    /// What an assignment yields: read the variable instead of repeating the term.
    fn stored_value(&mut self, place: &LValue, stored: Value) -> Value {
        match place.place {
            Place::Var(v) => self.read_var(v, place.ty),
            Place::Bits { width, .. } => Value { ty: self.bits_type(place.ty, width), ..stored },
            Place::Mem(_) => stored,
        }
    }

    /// A place whose address does not depend on memory that the assignment changes.
    fn fix_place(&mut self, place: LValue) -> LValue {
        let fix = |l: &mut Self, mem: super::place::Mem| {
            let loads = plumb_term::visit::postorder([mem.addr]).iter().any(|t| matches!(t.kind(), plumb_term::Kind::Load(..)));
            if loads {
                let saved = l.save(&Value::new(Types::VOID_PTR, mem.addr.wrap(l.pointer_ty()), Some(mem.node)));
                super::place::Mem { addr: saved.term, ..mem }
            } else {
                mem
            }
        };
        match place.place {
            Place::Mem(mem) => LValue { place: Place::Mem(fix(self, mem)), ..place },
            Place::Bits { mem, shift, width } => LValue { place: Place::Bits { mem: fix(self, mem), shift, width }, ..place },
            Place::Var(_) => place,
        }
    }

    /// `++x`, `--x`, and with `post` `x++`, `x--`.
    pub(super) fn increment(&mut self, operand: &'a Expr, by: i32, post: bool, used: bool, span: Span) -> Fallible<Value> {
        let place = self.lvalue(operand)?;
        let place = self.fix_place(place);
        self.cx.span = span;
        let old = self.load(&place);
        let old = if post { self.save(&old) } else { old };
        let one = Value::plain(Types::INT, Term::int(1));
        let op = if by > 0 { BinaryOp::Add } else { BinaryOp::Sub };
        let new = self.operate(op, &old, &one, span)?;
        let new = self.keep(&place, &new, used && !post, span)?;
        let stored = self.assign_place(&place, &new, span)?;
        if post {
            return Ok(Value { ty: if let Place::Bits { .. } = place.place { old.ty } else { place.ty }, ..old });
        }
        Ok(self.stored_value(&place, stored))
    }
}

/// Whether the evaluation of an expression certainly calls no function.
pub(super) fn calls_nothing(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ident(_) | ExprKind::Int(_) | ExprKind::Char(_) | ExprKind::Float(_) | ExprKind::Str(_) => true,
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => calls_nothing(operand),
        ExprKind::Member { base, .. } => calls_nothing(base),
        ExprKind::Index { base: a, index: b } | ExprKind::Binary { lhs: a, rhs: b, .. } => calls_nothing(a) && calls_nothing(b),
        _ => false,
    }
}
