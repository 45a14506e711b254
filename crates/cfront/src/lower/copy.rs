//! Copies and zeroing of aggregates.
//!
//! A copy is one parallel assignment: all loads read the memory before it. Where the layout is plain it goes member by member, so that
//! the regions of arrays and structures keep scalar cells; unions and bit-fields go byte by byte. Long ones go through a library loop.

use plumb_cfa::Op;
use plumb_term::{IntTy, Scalar, Span, Term};

use super::place::{LValue, Mem, Place, Value};
use super::Lowerer;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::{Kind, Len, Ty, Types};

/// Copies of more scalars than this are loops.
const MAX_SCALARS: usize = 256;

/// A scalar of an aggregate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub offset: u64,
    pub ty: Ty,
    pub shape: Option<(crate::types::RecordId, u64, u64)>,
}

impl Lowerer<'_> {
    /// The scalars of a type in order; `None` if there are more than `MAX_SCALARS`.
    pub(super) fn parts(&self, ty: Ty) -> Option<Vec<Part>> {
        let mut out = Vec::new();
        self.collect_parts(ty, 0, None, false, &mut out).then_some(out)
    }

    /// The same with the bytes of padding: `memcpy` copies them, although an assignment need not.
    pub(super) fn parts_and_padding(&self, ty: Ty) -> Option<Vec<Part>> {
        let mut out = Vec::new();
        self.collect_parts(ty, 0, None, true, &mut out).then_some(out)
    }

    fn collect_parts(&self, ty: Ty, base: u64, root: Option<(crate::types::RecordId, u64)>, padding: bool, out: &mut Vec<Part>) -> bool {
        if out.len() > MAX_SCALARS {
            return false;
        }
        let shape = |at: u64, len: u64| root.map(|(r, start)| (r, at - start, at - start + len));
        match self.types.kind(ty) {
            Kind::Array(elem, Len::Fixed(n)) => {
                let Some(size) = self.types.size(*elem).filter(|n| *n > 0) else { return true };
                if *n > MAX_SCALARS as u64 {
                    return false;
                }
                (0..*n).all(|i| self.collect_parts(*elem, base + i * size, root, padding, out))
            }
            Kind::Array(..) => true,
            Kind::Record(r) => {
                let record = self.types.record(*r);
                let size = record.size().unwrap_or(0);
                let root = root.or(Some((*r, base)));
                let byte = |at: u64| {
                    let start = root.map_or(base, |r| r.1);
                    Part { offset: at, ty: Types::UCHAR, shape: root.map(|(r, _)| (r, at - start, at - start + 1)) }
                };
                if record.is_union() || record.fields.iter().any(|f| f.bits.is_some()) {
                    out.extend((0..size).map(|i| byte(base + i)));
                    return out.len() <= MAX_SCALARS;
                }
                let mut end = 0;
                for f in &record.fields {
                    if padding {
                        out.extend((end..f.offset()).map(|i| byte(base + i)));
                    }
                    if !self.collect_parts(f.ty, base + f.offset(), root, padding, out) {
                        return false;
                    }
                    end = f.offset() + self.types.size(f.ty).unwrap_or(0);
                }
                if padding {
                    out.extend((end..size).map(|i| byte(base + i)));
                }
                out.len() <= MAX_SCALARS
            }
            _ => {
                if let Some(scalar) = self.types.scalar(ty) {
                    if padding && has_padding(scalar) {
                        let start = root.map_or(base, |r| r.1);
                        let size = self.types.size(ty).unwrap_or(0);
                        let bytes = (base..base + size).map(|at| {
                            let shape = root.map(|(r, _)| (r, at - start, at - start + 1));
                            Part { offset: at, ty: Types::UCHAR, shape }
                        });
                        out.extend(bytes);
                        return out.len() <= MAX_SCALARS;
                    }
                    out.push(Part { offset: base, ty, shape: shape(base, scalar.bytes()) });
                }
                out.len() <= MAX_SCALARS
            }
        }
    }

    /// The place of a part of the aggregate at `mem`.
    pub(super) fn part_place(&mut self, mem: Mem, part: &Part) -> LValue {
        self.pts.step(mem.node, part.offset);
        let shape = match (mem.shape, part.shape) {
            (Shape::Raw, Some((r, a, b))) => Shape::Field(r, a, b),
            (Shape::Field(r, start, end), _) => {
                let bytes = self.types.size(part.ty).unwrap_or(1);
                Shape::Field(r, start + part.offset, (start + part.offset + bytes).min(end.max(start + part.offset + bytes)))
            }
            _ => mem.shape,
        };
        LValue { ty: part.ty, place: Place::Mem(Mem { addr: mem.addr.plus(part.offset), shape, ..mem }) }
    }

    /// `*to = *from` for an aggregate type.
    pub(super) fn copy(&mut self, to: Mem, from: Mem, ty: Ty, span: Span) -> Fallible<()> {
        if to.addr == from.addr && to.node == from.node {
            return Ok(());
        }
        let Some(parts) = self.parts(ty) else {
            let size = self.size_term(ty).unwrap_or_else(|| Term::int(0));
            return self.copy_loop(to, from, size, span);
        };
        let mut memory = self.memory(to.node);
        let mut var = None;
        for part in &parts {
            let source = self.part_place(from, part);
            let target = self.part_place(to, part);
            let value = self.load(&source);
            if let Some((v, updated)) = self.store_term(&target, &value, memory) {
                var = Some(v);
                memory = updated;
            }
        }
        if let Some(var) = var {
            self.cx.emit(Op::Assign(vec![(var, memory)]));
        }
        Ok(())
    }

    /// A copy through the library's loop over bytes.
    fn copy_loop(&mut self, to: Mem, from: Mem, size: Term, span: Span) -> Fallible<()> {
        let pointer = self.pointer_ty();
        let args = [
            Value::new(Types::VOID_PTR, to.addr.wrap(pointer), Some(to.node)),
            Value::new(Types::VOID_PTR, from.addr.wrap(pointer), Some(from.node)),
            Value::plain(self.types.size_t(), size),
        ];
        self.call_library("memmove", &args, span).map(|_| ())
    }

    /// Zeros in all bytes of an object.
    pub(super) fn zero_object(&mut self, mem: Mem, ty: Ty, span: Span) -> Fallible<()> {
        let Some(size) = self.types.size(ty) else { return Ok(()) };
        match self.parts(ty) {
            Some(parts) if !parts.is_empty() => {
                let mut memory = self.memory(mem.node);
                let mut var = None;
                for part in &parts {
                    let place = self.part_place(mem, part);
                    let zero = Value::plain(part.ty, self.zero(part.ty));
                    if let Some((v, updated)) = self.store_term(&place, &zero, memory) {
                        var = Some(v);
                        memory = updated;
                    }
                }
                if let Some(var) = var {
                    self.cx.emit(Op::Assign(vec![(var, memory)]));
                }
                Ok(())
            }
            _ => self.zero_bytes(mem, Term::int(size), span),
        }
    }

    /// Zeros in a range of any length: a splice of the memory of zeros.
    pub(super) fn zero_bytes(&mut self, mem: Mem, len: Term, _span: Span) -> Fallible<()> {
        let memory = self.memory(mem.node);
        let zeros = Term::zero_mem(plumb_term::Cell::Byte);
        self.cx.emit(Op::Assign(vec![(Self::memory_var(mem.node), Term::splice(memory, zeros, mem.addr, len))]));
        Ok(())
    }

    /// An access of one byte, to make sure that the region has byte cells.
    pub(super) fn touch_bytes(&mut self, mem: &Mem) {
        self.pts.access(mem.node, Shape::Raw, Scalar::Int(IntTy::U8), false);
        self.pts.stride(mem.node, 1);
    }
}

/// Whether a scalar does not use all bytes of its type.
fn has_padding(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Float(plumb_term::FloatTy::F80))
}
