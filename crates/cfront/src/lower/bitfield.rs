//! Bit-fields: the bytes around them, shifted and masked. An access touches the bytes that hold the bits and no others.

use plumb_cfa::Op;
use plumb_term::{IBig, IntTy, Scalar, Term};

use super::place::{Mem, Value};
use super::Lowerer;
use crate::ast::BinaryOp;
use crate::types::{Ty, Types};

impl Lowerer<'_> {
    fn bits_unit(&mut self, mem: &Mem, shift: u32, width: u32) -> (Scalar, Term) {
        let unit = Scalar::Int(IntTy::unsigned((shift + width).div_ceil(8) as u16 * 8));
        self.pts.access(mem.node, mem.shape, unit, false);
        self.cx.loads += 1;
        (unit, Term::load(unit, self.memory(mem.node), mem.addr))
    }

    /// The value of a bit-field, promoted.
    pub(super) fn load_bits(&mut self, mem: &Mem, shift: u32, width: u32, ty: Ty) -> Value {
        let signed = self.types.integer(ty).is_some_and(|t| t.signed);
        let (_, unit) = self.bits_unit(mem, shift, width);
        let field = IntTy { bits: width.max(1) as u16, signed };
        let value = unit.shr(Term::int(shift)).wrap(field);
        let node = self.pts.contents(mem.node, false);
        let wide = Some(width).filter(|w| (33..64).contains(w));
        Value { wide, ..Value::new(self.bits_type(ty, width), value, Some(node)) }
    }

    /// Whether an operator on a bit-field wider than `int` has one result whatever type the field has: the field's own width, as of gcc, or the declared
    /// one.
    pub(super) fn is_clear(&self, op: BinaryOp, a: &Value, b: &Value) -> bool {
        use BinaryOp::*;
        let keeps = matches!(op, Eq | Ne | Lt | Le | Gt | Ge | BitAnd | BitOr | BitXor | Div | Rem);
        let integer = |v: &Value| self.types.integer(v.ty);
        // Beside what is of the declared width the field has that width; a number that it can hold is the same in both.
        let beside = |field: &Value, width: u32, other: &Value| {
            let number = other.term.as_int().is_some_and(|n| *n >= IBig::ZERO && *n < IBig::ONE << (width as usize - 1));
            let whole = matches!((integer(field), integer(other)), (Some(f), Some(o)) if o.bits >= f.bits && (f.signed || !o.signed));
            whole || keeps && number
        };
        match (a.wide, b.wide) {
            (None, None) => true,
            (wide, _) if matches!(op, Shl | Shr) => wide.is_none() || op == Shr,
            (Some(x), Some(y)) => keeps && x == y && a.ty == b.ty,
            (Some(width), None) => beside(a, width, b),
            (None, Some(width)) => beside(b, width, a),
        }
    }

    /// The type a bit-field is promoted to.
    pub(super) fn bits_type(&mut self, ty: Ty, width: u32) -> Ty {
        let signed = self.types.integer(ty).is_some_and(|t| t.signed);
        match width {
            0..=31 => Types::INT,
            32 if signed => Types::INT,
            32 => Types::UINT,
            _ => ty,
        }
    }

    /// Writes `value`, converted to the declared type, into the field; returns what the field holds then.
    pub(super) fn store_bits(&mut self, mem: &Mem, shift: u32, width: u32, value: &Value) -> Value {
        let signed = self.types.integer(value.ty).is_some_and(|t| t.signed);
        let (scalar, unit) = self.bits_unit(mem, shift, width);
        let bits = IntTy::unsigned(width.max(1) as u16);
        let mask = ((IBig::ONE << width as usize) - IBig::ONE) << shift as usize;
        let all = (IBig::ONE << (8 * scalar.bytes() as usize)) - IBig::ONE;
        let kept = unit.bit_and(Term::int(&all - &mask));
        let new = kept.bit_or(value.term.wrap(bits).shl(Term::int(shift)));
        let memory = Term::store(scalar, self.memory(mem.node), mem.addr, new);
        let contents = self.pts.contents(mem.node, false);
        self.flow(value, value.ty, contents);
        self.cx.emit(Op::Assign(vec![(Self::memory_var(mem.node), memory)]));
        Value { ty: value.ty, term: value.term.wrap(IntTy { bits: width.max(1) as u16, signed }), ..*value }
    }
}
