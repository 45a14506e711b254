//! Initialisers (C11 6.7.9): designators, elided braces, strings, ranges.

use plumb_cfa::Op;
use plumb_term::{IBig, Span, Term, VarId};

use super::place::{LValue, Mem, Place, Value};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::{Kind, Len, RecordId, Ty, Types};

/// Stores are gathered into one assignment up to this many.
const MAX_STORES: usize = 512;

/// Designated indices are smaller than this.
const MAX_INDEX: u64 = 1 << 24;

/// A walk over an initialiser.
struct Fill<'a> {
    /// Only measure: no expression is evaluated.
    dry: bool,
    /// One past the largest index of the outermost array.
    reach: u64,
    /// Bytes that get a value, if that is exact.
    covered: u64,
    designated: bool,
    pending: Option<(VarId, Term)>,
    stores: usize,
    /// The largest address that was filled.
    last: Option<Term>,
    items: Vec<(&'a [InitItem], usize)>,
}

impl<'a> Fill<'a> {
    fn new(dry: bool) -> Fill<'a> {
        Fill { dry, reach: 0, covered: 0, designated: false, pending: None, stores: 0, last: None, items: Vec::new() }
    }

    fn peek(&self) -> Option<&'a InitItem> {
        let (items, at) = self.items.last()?;
        items.get(*at)
    }

    /// Whether something was filled at this address or behind it, as after a designator that goes back; if in doubt, yes.
    fn goes_back(&self, addr: Term) -> bool {
        self.designated && self.last.is_some_and(|last| last.sub(addr).as_int().is_none_or(|d| *d >= IBig::ZERO))
    }

    /// Takes note of what is filled.
    fn reaches(&mut self, addr: Term) {
        if self.last.is_none_or(|last| last.sub(addr).as_int().is_none_or(|d| *d < IBig::ZERO)) {
            self.last = Some(addr);
        }
    }

    fn advance(&mut self) {
        if let Some((_, at)) = self.items.last_mut() {
            *at += 1;
        }
    }
}

impl<'a> Lowerer<'a> {
    /// An array of unknown length takes its length from the initialiser.
    pub(super) fn complete_by_init(&mut self, ty: Ty, init: &'a Init) -> Fallible<Ty> {
        let Some((elem, Len::Unknown)) = self.types.as_array(ty) else { return Ok(ty) };
        let count = match init {
            Init::Expr(Expr { kind: ExprKind::Str(s), .. }) => s.len() as u64 + 1,
            Init::Expr(e) => {
                let other = self.type_of(e)?;
                return Ok(if self.types.as_array(other).is_some() { other } else { ty });
            }
            Init::List(list) => match self.braced_string(elem, list) {
                Some(s) => s.len() as u64 + 1,
                None => {
                    let mut fill = Fill::new(true);
                    let node = self.pts.fresh();
                    let mem = Mem { addr: Term::int(0), node, shape: Shape::Raw, known: true };
                    self.fill_braced(&mut fill, &LValue { ty, place: Place::Mem(mem) }, list, true)?;
                    fill.reach
                }
            },
        };
        Ok(self.types.array(elem, Len::Fixed(count)))
    }

    /// `{ "text" }` for an array of characters.
    fn braced_string(&self, elem: Ty, list: &'a InitList) -> Option<&'a StrConst> {
        match &list.items[..] {
            [InitItem { designators, init: Init::Expr(Expr { kind: ExprKind::Str(s), .. }) }]
                if designators.is_empty() && self.is_char_like(elem, s.encoding) =>
            {
                Some(s)
            }
            _ => None,
        }
    }

    /// Gives a place its first value. Static objects are zero already.
    pub(super) fn initialise(&mut self, place: &LValue, init: &'a Init, is_static: bool) -> Fallible<()> {
        match init {
            Init::Expr(e) => {
                self.cx.span = e.span;
                if let (Some((elem, _)), ExprKind::Str(s)) = (self.types.as_array(place.ty), &e.kind) {
                    if self.is_char_like(elem, s.encoding) {
                        return self.initialise_string(place, s, is_static, e.span);
                    }
                }
                let value = match &e.kind {
                    ExprKind::Call { .. } => self.call_expr(e, true)?,
                    _ => match (self.types.as_array(place.ty), self.operand(e, true)?) {
                        // GNU: an array initialised by a compound literal.
                        (Some(_), super::expr::Operand::Place(LValue { ty, place: Place::Mem(mem) }))
                            if self.types.as_array(ty).is_some() =>
                        {
                            Value::aggregate(place.ty, mem)
                        }
                        (_, operand) => self.rvalue(operand, e.span)?,
                    },
                };
                self.assign_place(place, &value, e.span).map(|_| ())
            }
            Init::List(list) => {
                self.cx.span = list.span;
                if let Some((elem, _)) = self.types.as_array(place.ty) {
                    if let Some(s) = self.braced_string(elem, list) {
                        return self.initialise_string(place, s, is_static, list.span);
                    }
                }
                if let (Place::Mem(mem), false) = (place.place, is_static) {
                    let mut dry = Fill::new(true);
                    self.fill_braced(&mut dry, place, list, true)?;
                    let whole = self.parts(place.ty).map(|p| p.iter().map(|p| self.types.size(p.ty).unwrap_or(0)).sum::<u64>());
                    if dry.designated || whole != Some(dry.covered) {
                        self.zero_object(mem, place.ty, list.span)?;
                    }
                }
                let mut fill = Fill::new(false);
                self.fill_braced(&mut fill, place, list, true)?;
                self.flush(&mut fill);
                Ok(())
            }
        }
    }

    fn initialise_string(&mut self, place: &LValue, s: &'a StrConst, is_static: bool, span: Span) -> Fallible<()> {
        if let (Place::Mem(mem), false) = (place.place, is_static) {
            if self.fixed_len(place.ty) != Some(s.len() as u64 + 1) {
                self.zero_object(mem, place.ty, span)?;
            }
        }
        let mut fill = Fill::new(false);
        self.fill_string(&mut fill, place, s);
        self.flush(&mut fill);
        Ok(())
    }

    /// The characters of a string literal, in its own object.
    pub(super) fn initialise_literal(&mut self, place: &LValue, s: &StrConst) {
        let mut fill = Fill::new(false);
        self.fill_string(&mut fill, place, s);
        self.flush(&mut fill);
    }

    fn flush(&mut self, fill: &mut Fill<'a>) {
        fill.stores = 0;
        if let Some((var, memory)) = fill.pending.take() {
            self.cx.emit(Op::Assign(vec![(var, memory)]));
        }
    }

    fn put(&mut self, fill: &mut Fill<'a>, place: &LValue, value: &Value) {
        if let Place::Mem(mem) | Place::Bits { mem, .. } = place.place {
            fill.reaches(mem.addr);
        }
        let Place::Mem(mem) = place.place else {
            self.flush(fill);
            self.store(place, value);
            return;
        };
        let memory = fill.pending.map_or_else(|| self.memory(mem.node), |p| p.1);
        fill.pending = self.store_term(place, value, memory);
        fill.stores += 1;
        if fill.stores >= MAX_STORES {
            self.flush(fill);
        }
    }

    fn fill_string(&mut self, fill: &mut Fill<'a>, place: &LValue, s: &StrConst) {
        let (Some((elem, len)), Place::Mem(mem)) = (self.types.as_array(place.ty), place.place) else { return };
        let size = self.types.size(elem).unwrap_or(1);
        let max = match len {
            Len::Fixed(n) => n,
            _ => u64::MAX,
        };
        self.pts.step(mem.node, size);
        let t = self.types.integer(elem).unwrap_or(plumb_term::IntTy::signed(8));
        for (i, unit) in s.units().chain([0]).enumerate() {
            let i = i as u64;
            if i >= max {
                break;
            }
            fill.covered += size;
            if fill.dry {
                continue;
            }
            let at = LValue { ty: elem, place: Place::Mem(Mem { addr: mem.addr.plus(i * size), ..mem }) };
            let value = Value::plain(elem, Term::int(unit).wrap(t));
            self.put(fill, &at, &value);
        }
    }

    /// A braced list for `place`.
    fn fill_braced(&mut self, fill: &mut Fill<'a>, place: &LValue, list: &'a InitList, outermost: bool) -> Fallible<()> {
        if self.types.scalar(place.ty).is_some() {
            return match list.items.first() {
                Some(InitItem { init: Init::List(inner), .. }) => self.fill_braced(fill, place, inner, false),
                Some(InitItem { init: Init::Expr(e), .. }) => self.fill_expr(fill, place, e),
                None if fill.dry => Ok(()),
                None => {
                    let zero = Value::plain(place.ty, self.zero(place.ty));
                    self.flush(fill);
                    self.store(place, &zero);
                    Ok(())
                }
            };
        }
        if let Some((elem, _)) = self.types.as_array(place.ty) {
            if let Some(s) = self.braced_string(elem, list) {
                self.fill_string(fill, place, s);
                return Ok(());
            }
        }
        if let (Place::Mem(mem), false, false) = (place.place, outermost, fill.dry) {
            // A later initialiser of the same member replaces the earlier one as a whole.
            if fill.goes_back(mem.addr) {
                self.flush(fill);
                self.zero_object(mem, place.ty, self.cx.span)?;
            }
        }
        fill.items.push((&list.items, 0));
        let result = self.fill_members(fill, place, 0, true, outermost);
        fill.items.pop();
        result
    }

    /// The members of an aggregate from the `start`-th on. Without braces, it stops where its members end or a designator follows.
    fn fill_members(&mut self, fill: &mut Fill<'a>, place: &LValue, start: u64, braced: bool, outermost: bool) -> Fallible<()> {
        let mut next = start;
        while let Some(item) = fill.peek() {
            if item.designators.is_empty() {
                match self.child(place, next) {
                    Some(child) => self.fill_next(fill, &child)?,
                    None if braced => {
                        fill.advance();
                        continue;
                    }
                    None => return Ok(()),
                }
                next += 1;
            } else if braced {
                fill.designated = true;
                fill.advance();
                next = self.fill_designated(fill, place, item, &item.designators)?;
            } else {
                return Ok(());
            }
            if outermost {
                fill.reach = fill.reach.max(next);
            }
            if self.is_union(place.ty) && !braced {
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_union(&self, ty: Ty) -> bool {
        self.types.as_record(ty).is_some_and(|r| self.types.record(r).is_union())
    }

    /// The `index`-th element or member that can be initialised.
    fn child(&mut self, place: &LValue, index: u64) -> Option<LValue> {
        let Place::Mem(mem) = place.place else { return None };
        match self.types.kind(place.ty) {
            Kind::Array(elem, len) => {
                let elem = *elem;
                if matches!(len, Len::Fixed(n) if index >= *n) {
                    return None;
                }
                let size = self.types.size(elem)?;
                self.pts.step(mem.node, index * size);
                Some(LValue { ty: elem, place: Place::Mem(Mem { addr: mem.addr.plus(index * size), ..mem }) })
            }
            Kind::Record(r) => {
                let r = *r;
                if self.types.record(r).is_union() && index > 0 {
                    return None;
                }
                let (at, ty, bits) = self
                    .types
                    .record(r)
                    .fields
                    .iter()
                    .filter(|f| f.name.is_some() || f.bits.is_none())
                    .nth(index as usize)
                    .map(|f| (f.bit_offset, f.ty, f.bits))?;
                Some(self.field_at(mem, r, at, ty, bits))
            }
            _ => None,
        }
    }

    /// The position of the member `name` among those that can be initialised, and whether it is inside an anonymous member.
    fn member_index(&self, r: RecordId, name: crate::Symbol) -> Option<(u64, bool)> {
        let fields = self.types.record(r).fields.iter().filter(|f| f.name.is_some() || f.bits.is_none());
        for (i, f) in fields.enumerate() {
            if f.name == Some(name) {
                return Some((i as u64, false));
            }
            if let (None, Some(inner)) = (f.name, self.types.as_record(f.ty)) {
                if self.types.find_field(inner, name).is_some() {
                    return Some((i as u64, true));
                }
            }
        }
        None
    }

    /// Initialises the designated member (the item is consumed) and what follows it inside; returns where to go on.
    fn fill_designated(&mut self, fill: &mut Fill<'a>, place: &LValue, item: &'a InitItem, path: &'a [Designator]) -> Fallible<u64> {
        let Some((first, rest)) = path.split_first() else {
            self.fill_item(fill, place, item)?;
            return Ok(0);
        };
        let (low, high, rest) = match &first.kind {
            DesignatorKind::Field(name) => {
                let Some(r) = self.types.as_record(place.ty) else {
                    return self.invalid(first.span, format!("a value of type '{}' has no members", self.show(place.ty)));
                };
                let Some((i, inside)) = self.member_index(r, name.symbol) else {
                    return self.invalid(first.span, format!("type '{}' has no member '{}'", self.show(place.ty), self.name(name.symbol)));
                };
                (i, i, if inside { path } else { rest })
            }
            DesignatorKind::Index(e) => {
                let i = self.const_u64(e)?;
                (i, i, rest)
            }
            DesignatorKind::Range(a, b) => (self.const_u64(a)?, self.const_u64(b)?, rest),
        };
        if high >= MAX_INDEX || high < low {
            return self.invalid(first.span, "the designated elements are too many or none");
        }
        // To measure, the last one is enough.
        let low = if fill.dry { high } else { low };
        if low < high && !is_pure(&item.init) {
            return self.fill_range_once(fill, place, item, (low, high), rest);
        }
        for i in low..=high {
            // In a union any member can be designated.
            let child = match self.types.as_record(place.ty) {
                Some(r) if self.types.record(r).is_union() => self.union_member(place, r, i),
                _ => self.child(place, i),
            };
            let Some(child) = child else {
                return self.invalid(first.span, "the designated element does not exist");
            };
            if rest.is_empty() {
                self.fill_item(fill, &child, item)?;
            } else {
                let next = self.fill_designated(fill, &child, item, rest)?;
                if i == high {
                    self.fill_members(fill, &child, next, false, false)?;
                }
            }
        }
        Ok(if self.is_union(place.ty) { 1 } else { high + 1 })
    }

    /// Elements of a range whose initialiser has effects: it is evaluated once, for the first, and copied.
    fn fill_range_once(
        &mut self,
        fill: &mut Fill<'a>,
        place: &LValue,
        item: &'a InitItem,
        (low, high): (u64, u64),
        rest: &'a [Designator],
    ) -> Fallible<u64> {
        let Some(first) = self.child(place, low) else { return self.invalid(self.cx.span, "the designated element does not exist") };
        let whole = match &item.init {
            Init::List(_) => true,
            Init::Expr(e) => self.takes_whole(&first, e)?,
        };
        if !whole || !rest.is_empty() {
            self.unsupported(self.cx.span, "a range of parts of elements with one initialiser that has effects");
            return Ok(high + 1);
        }
        self.fill_item(fill, &first, item)?;
        self.flush(fill);
        for i in low + 1..=high {
            let Some(child) = self.child(place, i) else { return self.invalid(self.cx.span, "the designated element does not exist") };
            if let Place::Mem(mem) = child.place {
                fill.reaches(mem.addr);
            }
            let value = self.rvalue_of_place(&first);
            self.assign_place(&child, &value, self.cx.span)?;
        }
        Ok(high + 1)
    }

    /// What a place holds, an array as a whole.
    fn rvalue_of_place(&mut self, place: &LValue) -> Value {
        match (self.types.scalar(place.ty), place.place) {
            (None, Place::Mem(mem)) => Value::aggregate(place.ty, mem),
            _ => self.load(place),
        }
    }

    fn union_member(&mut self, place: &LValue, r: RecordId, index: u64) -> Option<LValue> {
        let Place::Mem(mem) = place.place else { return None };
        let field = self.types.record(r).fields.iter().filter(|f| f.name.is_some() || f.bits.is_none()).nth(index as usize)?;
        let (at, ty, bits) = (field.bit_offset, field.ty, field.bits);
        Some(self.field_at(mem, r, at, ty, bits))
    }

    /// An item, already consumed, for exactly this place.
    fn fill_item(&mut self, fill: &mut Fill<'a>, place: &LValue, item: &'a InitItem) -> Fallible<()> {
        match &item.init {
            Init::List(list) => self.fill_braced(fill, place, list, false),
            Init::Expr(e) if self.takes_whole(place, e)? => self.fill_expr(fill, place, e),
            Init::Expr(_) => {
                // Elided braces after a designator: the item starts the sub-aggregate.
                fill.items.push((std::slice::from_ref(item), 0));
                let child = self.child(place, 0);
                let result = match child {
                    Some(child) => self.fill_item(fill, &child, item),
                    None => Ok(()),
                };
                fill.items.pop();
                result?;
                self.fill_members(fill, place, 1, false, false)
            }
        }
    }

    /// The next item, for this place or the first scalar in it.
    fn fill_next(&mut self, fill: &mut Fill<'a>, place: &LValue) -> Fallible<()> {
        let Some(item) = fill.peek() else { return Ok(()) };
        match &item.init {
            Init::List(list) => {
                fill.advance();
                self.fill_braced(fill, place, list, false)
            }
            Init::Expr(e) if self.takes_whole(place, e)? => {
                fill.advance();
                self.fill_expr(fill, place, e)
            }
            Init::Expr(e) => {
                if self.child(place, 0).is_none() {
                    // An empty structure takes no value.
                    if self.types.scalar(place.ty).is_none() && self.types.size(place.ty) != Some(0) {
                        return self.invalid(e.span, format!("cannot initialise a '{}'", self.show(place.ty)));
                    }
                    return Ok(());
                }
                self.fill_members(fill, place, 0, false, false)
            }
        }
    }

    /// Whether an expression is a value for the whole place.
    fn takes_whole(&mut self, place: &LValue, e: &'a Expr) -> Fallible<bool> {
        Ok(match self.types.kind(place.ty) {
            Kind::Array(elem, _) => match &e.kind {
                ExprKind::Str(s) => self.is_char_like(*elem, s.encoding),
                _ => false,
            },
            Kind::Record(_) => {
                if matches!(e.kind, ExprKind::Int(_) | ExprKind::Char(_) | ExprKind::Str(_) | ExprKind::Float(_)) {
                    return Ok(false);
                }
                let ty = self.type_of(e)?;
                self.types.is_record(ty) && (ty == place.ty || self.types.size(ty) == self.types.size(place.ty))
            }
            _ => true,
        })
    }

    fn fill_expr(&mut self, fill: &mut Fill<'a>, place: &LValue, e: &'a Expr) -> Fallible<()> {
        if let (ExprKind::Str(s), Some(_)) = (&e.kind, self.types.as_array(place.ty)) {
            self.fill_string(fill, place, s);
            return Ok(());
        }
        if fill.dry {
            fill.covered += match place.place {
                Place::Bits { .. } => 0,
                _ => self.types.size(place.ty).unwrap_or(0),
            };
            return Ok(());
        }
        self.cx.span = e.span;
        let (mark, loads) = (self.cx.mark(), self.cx.loads);
        let value = self.expr(e)?;
        let value = if self.types.scalar(place.ty).is_some() { self.convert(&value, place.ty, e.span)? } else { value };
        if self.cx.changed(mark) || self.cx.loads != loads {
            // The value was computed after what is still pending.
            if let Some((var, memory)) = fill.pending.take() {
                self.cx.insert(mark, Op::Assign(vec![(var, memory)]));
                fill.stores = 0;
            }
        }
        if self.types.scalar(place.ty).is_none() {
            self.flush(fill);
            if let (Place::Mem(mem), Some(size)) = (place.place, self.types.size(place.ty)) {
                fill.reaches(mem.addr.plus(size.saturating_sub(1)));
            }
            return self.assign_place(place, &value, e.span).map(|_| ());
        }
        self.put(fill, place, &value);
        Ok(())
    }

    /// `(type) { ... }`
    pub(super) fn compound_literal(&mut self, ty: &'a TypeName, init: &'a InitList, span: Span) -> Fallible<LValue> {
        let ty = self.type_name(ty)?;
        let ty = if let Some((elem, Len::Unknown)) = self.types.as_array(ty) {
            let count = match self.braced_string(elem, init) {
                Some(s) => s.len() as u64 + 1,
                None => {
                    let mut fill = Fill::new(true);
                    let node = self.pts.fresh();
                    let mem = Mem { addr: Term::int(0), node, shape: Shape::Raw, known: true };
                    self.fill_braced(&mut fill, &LValue { ty, place: Place::Mem(mem) }, init, true)?;
                    fill.reach
                }
            };
            self.types.array(elem, Len::Fixed(count))
        } else {
            ty
        };
        let mem = if self.scopes.depth() == 0 {
            let size = self.types.size(ty).unwrap_or(0);
            self.new_object(format!("<literal {}>", self.objects.len()), ty, size, self.types.align(ty), None, span)
        } else {
            self.auto_object(format!("<literal {}>", self.objects.len()), ty, 1, span)?
        };
        let place = LValue { ty, place: Place::Mem(mem) };
        if self.cx.unevaluated == 0 {
            let is_static = self.scopes.depth() == 0;
            if !is_static {
                self.zero_object(mem, ty, span)?;
            }
            let mut fill = Fill::new(false);
            self.fill_braced(&mut fill, &place, init, true)?;
            self.flush(&mut fill);
        }
        Ok(place)
    }

    /// An `int` zero, for absent values.
    pub(super) fn int_zero(&self) -> Value {
        Value::plain(Types::INT, Term::int(0))
    }
}

/// Whether an initialiser certainly has no effects, so that it can be evaluated for each element of a range.
fn is_pure(init: &Init) -> bool {
    fn expr(e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Ident(_) | ExprKind::Int(_) | ExprKind::Char(_) | ExprKind::Float(_) | ExprKind::Str(_) => true,
            ExprKind::SizeofType(_) | ExprKind::Offsetof { .. } => true,
            ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, .. } => false,
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => expr(operand),
            ExprKind::Member { base, .. } => expr(base),
            ExprKind::Index { base: a, index: b } | ExprKind::Binary { lhs: a, rhs: b, .. } => expr(a) && expr(b),
            _ => false,
        }
    }
    match init {
        Init::Expr(e) => expr(e),
        Init::List(list) => list.items.iter().all(|i| is_pure(&i.init)),
    }
}
