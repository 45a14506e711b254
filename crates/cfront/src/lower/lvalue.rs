//! Places: dereferencing, indexing, members, addresses.

use plumb_cfa::Ub;
use plumb_term::visit::linear_form;
use plumb_term::{IBig, Span, Term};

use super::expr::Operand;
use super::place::{LValue, Mem, Place, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::{Node, Shape};
use crate::types::{Kind, Len, RecordId, Ty, Types};

impl<'a> Lowerer<'a> {
    /// An expression that must be an lvalue.
    pub(super) fn lvalue(&mut self, e: &'a Expr) -> Fallible<LValue> {
        match self.operand(e, true)? {
            Operand::Place(p) => Ok(p),
            Operand::Value(Value { ty, mem: Some(mem), .. }) => Ok(LValue { ty, place: Place::Mem(mem) }),
            Operand::Value(v) if matches!(self.types.kind(v.ty), Kind::Unsupported(_)) || self.is_dead_value(&v) => {
                let t = self.temp(v.ty);
                Ok(LValue { ty: v.ty, place: Place::Var(t) })
            }
            // GNU C once allowed assignments to casts of lvalues.
            Operand::Value(_) => self.invalid(e.span, "the expression is not an lvalue"),
        }
    }

    /// Whether the value only stands in for an unsupported construct.
    fn is_dead_value(&self, v: &Value) -> bool {
        v.term.as_int() == Some(&IBig::ZERO) && !self.cx.edges.iter().any(|e| e.to == self.cx.cur)
    }

    pub(super) fn node_of(&mut self, v: &Value) -> Node {
        match v.node {
            Some(node) => node,
            None => self.pts.fresh(),
        }
    }

    /// The place a pointer value points to.
    pub(super) fn pointee_place(&mut self, v: &Value, check: bool, span: Span) -> Fallible<LValue> {
        let Some(ty) = self.types.pointee(v.ty) else {
            return self.invalid(span, format!("cannot dereference a value of type '{}'", self.show(v.ty)));
        };
        let node = self.node_of(v);
        if check && !matches!(self.types.kind(ty), Kind::Function(_)) {
            self.guard(v.term.differs(Term::int(0)), Ub::NullDereference);
        }
        Ok(LValue { ty, place: Place::Mem(Mem { addr: v.term, node, shape: Shape::Raw, known: false }) })
    }

    pub(super) fn deref(&mut self, operand: &'a Expr, check: bool, span: Span) -> Fallible<Operand> {
        // `*(p + i)` is `p[i]`, and `*&x` is `x`.
        match &operand.kind {
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs, .. } => {
                return self.index(lhs, rhs, check, span).map(Operand::Place);
            }
            ExprKind::Unary { op: UnaryOp::AddrOf, operand } => return self.operand(operand, check),
            _ => {}
        }
        let inner = self.operand(operand, true)?;
        if let Operand::Value(v) = inner {
            if let Kind::Function(_) = self.types.kind(v.ty) {
                return Ok(inner);
            }
        }
        if let Operand::Place(LValue { ty, place: Place::Mem(mem) }) = inner {
            if let Some((elem, len)) = self.types.as_array(ty) {
                return Ok(Operand::Place(self.element(mem, elem, len, Term::int(0), true, check)));
            }
        }
        let v = self.rvalue(inner, span)?;
        if let Some(Kind::Function(_)) = self.types.pointee(v.ty).map(|t| self.types.kind(t)) {
            return Ok(Operand::Value(Value { ty: self.types.pointee(v.ty).unwrap_or(v.ty), ..v }));
        }
        self.pointee_place(&v, check, span).map(Operand::Place)
    }

    /// `base[index]` or `index[base]`.
    pub(super) fn index(&mut self, base: &'a Expr, index: &'a Expr, check: bool, span: Span) -> Fallible<LValue> {
        // `&a[i]` accesses no element, but `&p->q[i]` does read the pointer `q`.
        let base_check = check || {
            let ty = self.type_of(base)?;
            self.types.as_array(ty).is_none()
        };
        let first = self.operand(base, base_check)?;
        if let Kind::Unsupported(what) = self.types.kind(first.ty()) {
            let what = (*what).to_owned();
            self.unsupported(span, what);
            let t = self.temp(Types::INT);
            return Ok(LValue { ty: Types::INT, place: Place::Var(t) });
        }
        if let Operand::Place(LValue { ty, place: Place::Mem(mem) }) = first {
            if let Some((elem, len)) = self.types.as_array(ty) {
                let mark = self.cx.mark();
                let i = self.expr(index)?;
                let i = self.index_value(i, span)?;
                let mem = self.protect_mem(mark, mem);
                return Ok(self.element(mem, elem, len, i.term, self.is_signed(&i), check));
            }
        }
        let p = self.rvalue(first, base.span)?;
        if !self.types.is_pointer(p.ty) {
            let mark = self.cx.mark();
            let second = self.operand(index, true)?;
            let p = self.protect(mark, &p);
            let i = self.index_value(p, span)?;
            if let Operand::Place(LValue { ty, place: Place::Mem(mem) }) = second {
                if let Some((elem, len)) = self.types.as_array(ty) {
                    return Ok(self.element(mem, elem, len, i.term, self.is_signed(&i), check));
                }
            }
            let q = self.rvalue(second, index.span)?;
            return self.offset_place(&q, &i, check, span);
        }
        let mark = self.cx.mark();
        let i = self.expr(index)?;
        let i = self.index_value(i, span)?;
        let p = self.protect(mark, &p);
        self.offset_place(&p, &i, check, span)
    }

    fn index_value(&mut self, i: Value, span: Span) -> Fallible<Value> {
        if !self.types.is_integer(i.ty) {
            return self.invalid(span, format!("an index has type '{}'", self.show(i.ty)));
        }
        let ty = self.types.promote(i.ty);
        self.convert(&i, ty, span)
    }

    fn is_signed(&self, v: &Value) -> bool {
        self.types.integer(v.ty).is_some_and(|t| t.signed || t.bits < self.pointer_ty().bits)
    }

    fn protect_mem(&mut self, mark: super::cx::Mark, mem: Mem) -> Mem {
        let pointer = Types::VOID_PTR;
        if mem.addr.as_int().is_some() {
            return mem;
        }
        let v = self.protect(mark, &Value::new(pointer, mem.addr, Some(mem.node)));
        Mem { addr: v.term, ..mem }
    }

    /// The place `p + i`.
    fn offset_place(&mut self, p: &Value, i: &Value, check: bool, span: Span) -> Fallible<LValue> {
        let Some(elem) = self.types.pointee(p.ty) else {
            return self.invalid(span, format!("cannot index a value of type '{}'", self.show(p.ty)));
        };
        let Some(size) = self.size_term(elem) else {
            return self.invalid(span, format!("the size of type '{}' is not known", self.show(elem)));
        };
        let node = self.node_of(p);
        if check {
            self.guard(p.term.differs(Term::int(0)), Ub::NullDereference);
        }
        self.record_step(node, i.term, size);
        let mut addr = p.term.add(i.term.mul(size));
        if !self.is_signed(i) {
            addr = addr.wrap(self.pointer_ty());
        }
        Ok(LValue { ty: elem, place: Place::Mem(Mem { addr, node, shape: Shape::Raw, known: false }) })
    }

    /// Tells the points-to analysis how far a pointer moves.
    pub(super) fn record_step(&mut self, node: Node, index: Term, size: Term) {
        let bytes = factor(size);
        let bytes = match index.as_int() {
            Some(k) => u64::try_from(if *k < IBig::ZERO { -k } else { k.clone() }).ok().and_then(|k| k.checked_mul(bytes)).unwrap_or(1),
            None => bytes,
        };
        self.pts.stride(node, bytes);
    }

    /// An element of an array in memory, with its bounds.
    fn element(&mut self, mem: Mem, elem: Ty, len: Len, index: Term, signed: bool, check: bool) -> LValue {
        let size = self.size_term(elem).unwrap_or_else(|| Term::int(1));
        let mut wrap = !signed;
        let open = matches!(len, Len::Fixed(0 | 1)) && !mem.known;
        let bound = match len {
            Len::Fixed(n) if !open => Some(Term::int(n)),
            Len::Variable(id) => self.vla_counts.get(&id.0).copied(),
            _ => None,
        };
        if let (Some(n), true) = (bound, check) {
            self.guard(Term::int(0).less_eq(index).and(index.less(n)), Ub::OutOfBounds);
            wrap = false;
        }
        match mem.shape {
            Shape::Raw => self.record_step(mem.node, index, size),
            // Inside a record: the record itself does not move.
            Shape::Field(..) => {
                self.pts.step(mem.node, factor(size));
            }
        }
        let mut addr = mem.addr.add(index.mul(size));
        if wrap {
            addr = addr.wrap(self.pointer_ty());
        }
        LValue { ty: elem, place: Place::Mem(Mem { addr, ..mem }) }
    }

    /// `base.field` and `base->field`.
    pub(super) fn member(&mut self, base: &'a Expr, field: &'a Name, arrow: bool, check: bool, span: Span) -> Fallible<Operand> {
        let (ty, mem) = if arrow {
            let inner = self.operand(base, true)?;
            match inner {
                // `a->f` on an array.
                Operand::Place(LValue { ty, place: Place::Mem(mem) }) if self.types.as_array(ty).is_some() => {
                    (self.types.as_array(ty).map_or(ty, |a| a.0), mem)
                }
                _ => {
                    let p = self.rvalue(inner, base.span)?;
                    match self.pointee_place(&p, check, span)? {
                        LValue { ty, place: Place::Mem(mem) } => (ty, mem),
                        LValue { .. } => return self.invalid(span, "a member of what is not in memory"),
                    }
                }
            }
        } else {
            match self.operand(base, check)? {
                Operand::Place(LValue { ty, place: Place::Mem(mem) }) => (ty, mem),
                Operand::Value(Value { ty, mem: Some(mem), .. }) => (ty, mem),
                other => return self.invalid(span, format!("a value of type '{}' has no members", self.show(other.ty()))),
            }
        };
        let Some(record) = self.types.as_record(ty) else {
            return self.invalid(field.span, format!("a value of type '{}' has no members", self.show(ty)));
        };
        match self.field_place(mem, record, field.symbol) {
            Some(place) => Ok(Operand::Place(place)),
            None if self.types.record(record).size().is_none() => {
                self.invalid(field.span, format!("the type '{}' is incomplete here", self.show(ty)))
            }
            None => self.invalid(field.span, format!("type '{}' has no member '{}'", self.show(ty), self.name(field.symbol))),
        }
    }

    /// The place of a named member of the record at `mem`.
    pub(super) fn field_place(&mut self, mem: Mem, record: RecordId, name: crate::Symbol) -> Option<LValue> {
        let (bit_offset, field) = self.types.find_field(record, name)?;
        let (ty, bits) = (field.ty, field.bits);
        Some(self.field_at(mem, record, bit_offset, ty, bits))
    }

    /// The place of a member given by its position.
    pub(super) fn field_at(&mut self, mem: Mem, record: RecordId, bit_offset: u64, ty: Ty, bits: Option<u32>) -> LValue {
        let offset = bit_offset / 8;
        self.pts.step(mem.node, offset);
        let bytes = match bits {
            Some(width) => (bit_offset % 8 + u64::from(width)).div_ceil(8),
            None => self.types.size(ty).unwrap_or(1 << 40),
        };
        let shape = match mem.shape {
            // Within an array of an outer record positions are not told apart.
            Shape::Field(outer, start, end) => match self.types.record(record).size() {
                Some(size) if end - start == size => Shape::Field(outer, start + offset, start + offset + bytes),
                _ => mem.shape,
            },
            Shape::Raw => Shape::Field(record, offset, offset + bytes),
        };
        let mem = Mem { addr: mem.addr.plus(offset), shape, ..mem };
        match bits {
            Some(width) => LValue { ty, place: Place::Bits { mem, shift: (bit_offset % 8) as u32, width } },
            None => LValue { ty, place: Place::Mem(mem) },
        }
    }

    /// A pointer to a member comes about: it may be taken for one to a record.
    pub(super) fn expose(&mut self, mem: &Mem) {
        if let Shape::Field(_, start, _) = mem.shape {
            self.pts.stride(mem.node, start);
        }
    }

    /// `&operand`.
    pub(super) fn address_of(&mut self, operand: &'a Expr, span: Span) -> Fallible<Value> {
        match self.operand(operand, false)? {
            Operand::Place(LValue { ty, place: Place::Mem(mem) }) => {
                let pointer = self.types.pointer(ty);
                self.expose(&mem);
                Ok(Value::new(pointer, mem.addr.wrap(self.pointer_ty()), Some(mem.node)))
            }
            Operand::Place(LValue { ty, place: Place::Var(_) }) if self.cx.unevaluated > 0 => {
                Ok(Value::plain(self.types.pointer(ty), Term::int(0)))
            }
            Operand::Place(LValue { place: Place::Bits { .. }, .. }) => self.invalid(span, "the address of a bit-field"),
            Operand::Value(v) if matches!(self.types.kind(v.ty), Kind::Function(_)) => Ok(Value { ty: self.types.pointer(v.ty), ..v }),
            Operand::Value(Value { ty, mem: Some(mem), .. }) => {
                Ok(Value::new(self.types.pointer(ty), mem.addr.wrap(self.pointer_ty()), Some(mem.node)))
            }
            _ => self.invalid(span, "the address of what is not an lvalue"),
        }
    }
}

/// A number that the size of a type is a multiple of, whatever its lengths that are known at run time: rows of `int a[m][n]` are multiples of an `int`.
fn factor(size: Term) -> u64 {
    let number = |n: &IBig| u64::try_from(n).unwrap_or(1);
    // Of a term that is a number times something.
    let coefficient = |t: Term| match linear_form(t) {
        (constant, parts) if constant == IBig::ZERO && parts.len() == 1 => number(&parts[0].0),
        _ => 1,
    };
    let (constant, parts) = linear_form(size);
    match parts.as_slice() {
        [] => number(&constant),
        [(n, atom)] if constant == IBig::ZERO => match atom.kind() {
            plumb_term::Kind::Mul(a, b) => {
                let inner = coefficient(*a).checked_mul(coefficient(*b));
                inner.and_then(|k| k.checked_mul(number(n))).unwrap_or(1)
            }
            _ => number(n),
        },
        _ => 1,
    }
}
