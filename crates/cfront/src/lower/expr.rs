//! Expressions: dispatch, operators without side effects, `sizeof` and selections.

use plumb_cfa::Op;
use plumb_term::{FCmpOp, FUnOp, Span, Term};

use super::place::{LValue, Place, Value};
use super::scope::Entry;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::{Kind, Len, Ty, Types};

/// An expression before lvalue conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Place(LValue),
    Value(Value),
}

impl Operand {
    pub fn ty(&self) -> Ty {
        match self {
            Operand::Place(p) => p.ty,
            Operand::Value(v) => v.ty,
        }
    }
}

impl<'a> Lowerer<'a> {
    /// The value of an expression.
    pub(super) fn expr(&mut self, e: &'a Expr) -> Fallible<Value> {
        let operand = self.operand(e, true)?;
        self.rvalue(operand, e.span)
    }

    /// Evaluates for the side effects only.
    pub(super) fn effect(&mut self, e: &'a Expr) -> Fallible<()> {
        self.cx.span = e.span;
        match &e.kind {
            ExprKind::Unary { op: UnaryOp::PostInc | UnaryOp::PreInc, operand } => {
                self.increment(operand, 1, false, false, e.span).map(|_| ())
            }
            ExprKind::Unary { op: UnaryOp::PostDec | UnaryOp::PreDec, operand } => {
                self.increment(operand, -1, false, false, e.span).map(|_| ())
            }
            ExprKind::Assign { op, lhs, rhs, .. } => self.assign_expr(*op, lhs, rhs, false, e.span).map(|_| ()),
            ExprKind::Comma(parts) => parts.iter().try_for_each(|e| self.effect(e)),
            ExprKind::Cast { ty, operand } => {
                let ty = self.type_name(ty)?;
                if ty == Types::VOID {
                    self.effect(operand)
                } else {
                    self.expr(e).map(|_| ())
                }
            }
            ExprKind::Call { .. } => self.call_expr(e, true).map(|_| ()),
            ExprKind::StmtExpr(b) => self.stmt_expr(b).map(|_| ()),
            ExprKind::Conditional { cond, then: Some(then), otherwise } => {
                let (yes, no) = self.branch(cond)?;
                let end = self.cx.new_loc();
                for (at, part) in [(yes, &**then), (no, &**otherwise)] {
                    self.cx.cur = at;
                    self.effect(part)?;
                    let from = self.cx.cur;
                    self.cx.edge(from, end, Op::Skip);
                }
                self.cx.cur = end;
                Ok(())
            }
            _ => self.operand(e, true).map(|_| ()),
        }
    }

    /// An expression before lvalue conversion. Without `check` the place is not accessed, only its address or type is asked for.
    pub(super) fn operand(&mut self, e: &'a Expr, check: bool) -> Fallible<Operand> {
        let before = self.cx.span;
        self.cx.span = e.span;
        let result = self.operand_at(e, check);
        self.cx.span = before;
        result
    }

    fn operand_at(&mut self, e: &'a Expr, check: bool) -> Fallible<Operand> {
        let span = e.span;
        let value = match &e.kind {
            ExprKind::Ident(name) => return self.ident(*name, span),
            ExprKind::Int(c) => self.int_const(c, span)?,
            ExprKind::Float(c) => self.float_const(c, span),
            ExprKind::Char(c) => self.char_const(c),
            ExprKind::Str(s) => return Ok(Operand::Place(self.string_literal(s, span))),
            ExprKind::Unary { op, operand } => match op {
                UnaryOp::Deref => return self.deref(operand, check, span),
                UnaryOp::AddrOf => self.address_of(operand, span)?,
                UnaryOp::PreInc => self.increment(operand, 1, false, true, span)?,
                UnaryOp::PreDec => self.increment(operand, -1, false, true, span)?,
                UnaryOp::PostInc => self.increment(operand, 1, true, true, span)?,
                UnaryOp::PostDec => self.increment(operand, -1, true, true, span)?,
                UnaryOp::Not => {
                    let c = self.cond_term(operand)?;
                    bool_value(c.not())
                }
                UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                    let v = self.expr(operand)?;
                    self.unary(*op, v, span)?
                }
                UnaryOp::Real => self.expr(operand)?,
                UnaryOp::Imag => {
                    self.unsupported(span, "'__imag__'");
                    Value::plain(Types::INT, Term::int(0))
                }
            },
            ExprKind::Binary { op, lhs, rhs, .. } => self.binary_expr(*op, lhs, rhs, e)?,
            ExprKind::Assign { op, lhs, rhs, .. } => self.assign_expr(*op, lhs, rhs, true, span)?,
            ExprKind::Conditional { cond, then, otherwise } => self.conditional(cond, then.as_deref(), otherwise, span)?,
            ExprKind::Comma(parts) => {
                let Some((last, init)) = parts.split_last() else { return Ok(Operand::Value(Value::void())) };
                for part in init {
                    self.effect(part)?;
                }
                self.expr(last)?
            }
            ExprKind::Call { .. } => self.call_expr(e, false)?,
            ExprKind::Index { base, index } => return self.index(base, index, check, span).map(Operand::Place),
            ExprKind::Member { base, field, arrow } => return self.member(base, field, *arrow, check, span),
            ExprKind::Cast { ty, operand } => self.cast(ty, operand, span)?,
            ExprKind::CompoundLiteral { ty, init } => return self.compound_literal(ty, init, span).map(Operand::Place),
            ExprKind::SizeofExpr(operand) => {
                let ty = self.type_of(operand)?;
                self.sizeof(ty, span)?
            }
            ExprKind::SizeofType(ty) => {
                let ty = self.type_name(ty)?;
                self.sizeof(ty, span)?
            }
            ExprKind::AlignofExpr { operand, preferred } => {
                let ty = self.type_of(operand)?;
                self.alignof(ty, *preferred)
            }
            ExprKind::AlignofType { ty: named, preferred } => {
                let ty = self.type_name(named)?;
                match self.named_align(named) {
                    Some(n) => Value::plain(self.types.size_t(), Term::int(n)),
                    None => self.alignof(ty, *preferred),
                }
            }
            ExprKind::LabelAddr(name) => self.label_value(name),
            ExprKind::StmtExpr(block) => self.stmt_expr(block)?,
            ExprKind::Generic(g) => return self.generic(g, check, span),
            ExprKind::VaArg { list, ty } => return self.va_arg(list, ty, span),
            ExprKind::Offsetof { ty, path } => self.offsetof(ty, path, span)?,
            ExprKind::TypesCompatible(pair) => {
                let (a, b) = (self.type_name(&pair.0)?, self.type_name(&pair.1)?);
                let compatible = self.types.compatible(a, b);
                if compatible && self.types.is_pointer(a) && (pair.0.is_qualified() || pair.1.is_qualified()) {
                    self.unsupported(span, "a comparison of qualified types");
                }
                Value::plain(Types::INT, Term::int(u8::from(compatible)))
            }
            ExprKind::ChooseExpr(parts) => {
                let [cond, then, otherwise] = &**parts;
                let chosen = if self.const_int(cond)? == 0.into() { otherwise } else { then };
                return self.operand(chosen, check);
            }
            ExprKind::ConvertVector { .. } => {
                self.unsupported(span, "'__builtin_convertvector'");
                Value::plain(Types::INT, Term::int(0))
            }
        };
        Ok(Operand::Value(value))
    }

    fn ident(&mut self, name: crate::Symbol, span: Span) -> Fallible<Operand> {
        match self.lookup(name) {
            Some(Entry::Local(place)) => Ok(Operand::Place(place)),
            Some(Entry::Global(g)) => {
                self.odd_global(g, span);
                Ok(Operand::Place(self.global_place(g)))
            }
            Some(Entry::Const(term, ty)) => Ok(Operand::Value(Value::plain(ty, term))),
            Some(Entry::Func(f)) => Ok(Operand::Value(self.function_value(f))),
            Some(Entry::Typedef(..)) => self.invalid(span, format!("'{}' is a type, not a value", self.name(name))),
            None if matches!(self.name(name), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let text = self.cx.name.clone();
                Ok(Operand::Place(self.string_object(text.as_bytes(), Encoding::Plain, span)))
            }
            None if self.is_builtin_function(self.name(name)) => {
                let f = self.declare_implicit(name, span);
                Ok(Operand::Value(self.function_value(f)))
            }
            None => self.invalid(span, format!("'{}' is not declared", self.name(name))),
        }
    }

    /// Lvalue conversion: the stored value; arrays and functions become pointers.
    pub(super) fn rvalue(&mut self, operand: Operand, span: Span) -> Fallible<Value> {
        let place = match operand {
            Operand::Value(v) => {
                if let Kind::Function(_) = self.types.kind(v.ty) {
                    return Ok(Value { ty: self.types.pointer(v.ty), ..v });
                }
                if let (Some((elem, _)), Some(mem)) = (self.types.as_array(v.ty), v.mem) {
                    self.expose(&mem);
                    return Ok(Value::new(self.types.pointer(elem), mem.addr.wrap(self.pointer_ty()), Some(mem.node)));
                }
                return Ok(v);
            }
            Operand::Place(p) => p,
        };
        match (self.types.kind(place.ty), place.place) {
            (Kind::Array(elem, _), Place::Mem(mem)) => {
                let elem = *elem;
                self.expose(&mem);
                Ok(Value::new(self.types.pointer(elem), mem.addr.wrap(self.pointer_ty()), Some(mem.node)))
            }
            (Kind::Function(_), Place::Mem(mem)) => Ok(Value::new(self.types.pointer(place.ty), mem.addr, Some(mem.node))),
            (Kind::Record(_), Place::Mem(mem)) => Ok(Value::aggregate(place.ty, mem)),
            (Kind::Void, _) => Ok(Value::void()),
            (Kind::Unsupported(what), _) => {
                let what = (*what).to_owned();
                self.unsupported(span, what);
                Ok(Value::plain(Types::INT, Term::int(0)))
            }
            _ => Ok(self.load(&place)),
        }
    }

    /// A scalar that is there to be computed with.
    pub(super) fn unary(&mut self, op: UnaryOp, v: Value, span: Span) -> Fallible<Value> {
        if !self.types.is_arithmetic(v.ty) {
            return self.invalid(span, format!("wrong operand of type '{}' for a unary operator", self.show(v.ty)));
        }
        if v.wide.is_some() && op != UnaryOp::Plus {
            self.unsupported(span, "arithmetic on a bit-field wider than 'int'");
        }
        let ty = self.types.promote(v.ty);
        let v = self.convert(&v, ty, span)?;
        Ok(match op {
            UnaryOp::Minus if self.types.is_float(ty) => Value::plain(ty, Term::fun(FUnOp::Neg, v.term)),
            UnaryOp::Minus => {
                let term = self.wrap_result(v.term.neg(), ty);
                Value::new(ty, term, v.node)
            }
            UnaryOp::BitNot if self.types.is_integer(ty) => Value::new(ty, self.wrap(v.term.bit_not(), ty), v.node),
            UnaryOp::BitNot => return self.invalid(span, "'~' needs an integer"),
            _ => v,
        })
    }

    /// The truth of a scalar.
    pub(super) fn truth(&mut self, v: &Value, span: Span) -> Fallible<Term> {
        match self.types.scalar(v.ty) {
            Some(plumb_term::Scalar::Int(_)) => Ok(v.term.differs(Term::int(0))),
            Some(plumb_term::Scalar::Float(t)) => Ok(Term::fcmp(FCmpOp::Eq, v.term, Term::float(plumb_term::Float::zero(t))).not()),
            None => self.invalid(span, format!("a value of type '{}' has no truth value", self.show(v.ty))),
        }
    }

    fn sizeof(&mut self, ty: Ty, span: Span) -> Fallible<Value> {
        let size_t = self.types.size_t();
        if let Some(what) = self.types.unsupported_part(ty).filter(|_| self.cx.unevaluated == 0) {
            self.unsupported(span, what);
        }
        match self.size_term(ty) {
            Some(n) => Ok(Value::plain(size_t, self.wrap(n, size_t))),
            None if self.cx.unevaluated > 0 => Ok(Value::plain(size_t, Term::int(1))),
            None => self.invalid(span, format!("the size of type '{}' is not known", self.show(ty))),
        }
    }

    fn alignof(&mut self, ty: Ty, preferred: bool) -> Value {
        let n = if preferred { self.types.align(ty) } else { self.types.field_align(ty) };
        Value::plain(self.types.size_t(), Term::int(n))
    }

    fn generic(&mut self, g: &'a Generic, check: bool, span: Span) -> Fallible<Operand> {
        let ty = match &g.control {
            GenericControl::Expr(e) => self.rvalue_type(e)?,
            GenericControl::Type(t) => self.type_name(t)?,
        };
        // Types here have no qualifiers: whether a pointer is one to `const` is known of literals only.
        let plain = !self.types.is_pointer(ty) || matches!(&g.control, GenericControl::Expr(e) if points_into_literal(e));
        let mut default = None;
        for (arm, value) in &g.arms {
            match arm {
                Some(t) => {
                    if self.type_name(t)? == ty {
                        if !plain || t.is_qualified() {
                            self.unsupported(span, "'_Generic' that selects by a pointer or by qualifiers");
                        }
                        return self.operand(value, check);
                    }
                }
                None => default = Some(value),
            }
        }
        match default {
            Some(value) => self.operand(value, check),
            None => self.invalid(span, format!("no alternative of '_Generic' has type '{}'", self.show(ty))),
        }
    }

    fn offsetof(&mut self, ty: &'a TypeName, path: &'a [OffsetofStep], span: Span) -> Fallible<Value> {
        let mut ty = self.type_name(ty)?;
        let mut offset = Term::int(0);
        for step in path {
            match step {
                OffsetofStep::Field(name) => {
                    let Some((at, field_ty)) = self.types.as_record(ty).and_then(|r| {
                        let (at, f) = self.types.find_field(r, name.symbol)?;
                        Some((at / 8, f.ty))
                    }) else {
                        return self.invalid(name.span, format!("type '{}' has no member '{}'", self.show(ty), self.name(name.symbol)));
                    };
                    offset = offset.plus(at);
                    ty = field_ty;
                }
                OffsetofStep::Index(e) => {
                    let Some((elem, _)) = self.types.as_array(ty) else { return self.invalid(span, "'offsetof' indexes what is no array") };
                    let index = self.expr(e)?;
                    let size = self.size_term(elem).unwrap_or_else(|| Term::int(0));
                    offset = offset.add(index.term.mul(size));
                    ty = elem;
                }
            }
        }
        let size_t = self.types.size_t();
        Ok(Value::plain(size_t, self.wrap(offset, size_t)))
    }

    fn cast(&mut self, ty: &'a TypeName, operand: &'a Expr, span: Span) -> Fallible<Value> {
        let ty = self.type_name(ty)?;
        if ty == Types::VOID {
            self.effect(operand)?;
            return Ok(Value::void());
        }
        // GNU: a cast to a union type makes one from a member's value.
        let v = self.expr(operand)?;
        if self.types.is_record(ty) && v.ty != ty {
            return self.cast_to_union(&v, ty, span);
        }
        self.convert(&v, ty, span)
    }

    fn cast_to_union(&mut self, v: &Value, ty: Ty, span: Span) -> Fallible<Value> {
        let member = self.types.as_record(ty).and_then(|r| {
            let record = self.types.record(r);
            record.fields.iter().find(|f| f.bits.is_none() && self.types.compatible(f.ty, v.ty)).map(|f| f.ty)
        });
        let Some(member) = member else {
            return self.invalid(span, format!("cannot cast '{}' to '{}'", self.show(v.ty), self.show(ty)));
        };
        let mem = self.temp_object(ty, span)?;
        self.assign_place(&LValue { ty: member, place: Place::Mem(mem) }, v, span)?;
        Ok(Value::aggregate(ty, mem))
    }

    /// The number of elements of an array type, if constant.
    pub(super) fn fixed_len(&self, ty: Ty) -> Option<u64> {
        match self.types.as_array(ty) {
            Some((_, Len::Fixed(n))) => Some(n),
            _ => None,
        }
    }
}

/// Whether an expression computes from a string literal, whose characters are not `const`.
fn points_into_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Str(_) => true,
        ExprKind::Binary { lhs, rhs, .. } => points_into_literal(lhs) || points_into_literal(rhs),
        _ => false,
    }
}

/// 0 or 1, as an `int`.
pub(crate) fn bool_value(c: Term) -> Value {
    Value::plain(Types::INT, Term::ite(c, Term::int(1), Term::int(0)))
}
