//! Machine types, term sorts and variables.
//!
//! Terms compute over the mathematical integers ℤ; a machine integer type is a *range* of ℤ, and `wrap_τ` maps ℤ into
//! it. So a program variable of type `int` is a term variable of sort [`Sort::Int`] whose [`VarTy`] says that its value
//! lies in the range of [`IntTy::I32`].

use crate::float::FloatTy;
use dashu_int::IBig;
use std::fmt;

/// A machine integer type: `bits` wide (1 to 128), two's complement when signed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntTy {
    /// Width in bits, 1 to 128.
    pub bits: u16,
    /// Two's complement (true) or unsigned (false).
    pub signed: bool,
}

impl IntTy {
    /// `unsigned char`.
    pub const U8: IntTy = IntTy::unsigned(8);
    /// 32-bit signed.
    pub const I32: IntTy = IntTy::signed(32);
    /// 32-bit unsigned.
    pub const U32: IntTy = IntTy::unsigned(32);
    /// 64-bit signed.
    pub const I64: IntTy = IntTy::signed(64);
    /// 64-bit unsigned.
    pub const U64: IntTy = IntTy::unsigned(64);

    /// The signed type of the given width.
    pub const fn signed(bits: u16) -> IntTy {
        IntTy { bits, signed: true }
    }

    /// The unsigned type of the given width.
    pub const fn unsigned(bits: u16) -> IntTy {
        IntTy { bits, signed: false }
    }

    /// Size in whole bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits.div_ceil(8))
    }

    /// 2^bits.
    pub fn modulus(self) -> IBig {
        IBig::ONE << usize::from(self.bits)
    }

    /// The least value.
    pub fn min(self) -> IBig {
        if self.signed {
            -(IBig::ONE << usize::from(self.bits - 1))
        } else {
            IBig::ZERO
        }
    }

    /// The greatest value.
    pub fn max(self) -> IBig {
        let top = self.bits - u16::from(self.signed);
        (IBig::ONE << usize::from(top)) - IBig::ONE
    }

    /// Whether `value` is representable.
    pub fn contains(self, value: &IBig) -> bool {
        *value >= self.min() && *value <= self.max()
    }

    /// The representable value congruent to `value` modulo 2^bits: what conversion to this type yields.
    pub fn wrap(self, value: &IBig) -> IBig {
        if let Ok(v) = i128::try_from(value) {
            if let Some(w) = self.wrap_i128(v) {
                return IBig::from(w);
            }
        }
        let modulus = self.modulus();
        let mut r = value % &modulus;
        if r < IBig::ZERO {
            r += &modulus;
        }
        if self.signed && r > self.max() {
            r -= modulus;
        }
        r
    }

    /// [`IntTy::wrap`] within `i128`; `None` where the result may not fit (128-bit unsigned).
    pub fn wrap_i128(self, v: i128) -> Option<i128> {
        if self.bits == 128 {
            return if self.signed || v >= 0 { Some(v) } else { None };
        }
        let shift = 128 - u32::from(self.bits);
        Some(if self.signed { (v << shift) >> shift } else { ((v as u128) << shift >> shift) as i128 })
    }
}

impl fmt::Display for IntTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

/// The type of a scalar in memory or in a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// An integer, an enumeration or a pointer (an unsigned integer of address width).
    Int(IntTy),
    /// A floating-point number.
    Float(FloatTy),
}

impl Scalar {
    /// Bytes that hold the value (10 for x87 extended, without padding).
    pub fn bytes(self) -> u64 {
        match self {
            Scalar::Int(t) => t.bytes(),
            Scalar::Float(t) => u64::from(t.bits()) / 8,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Int(t) => t.fmt(f),
            Scalar::Float(t) => write!(f, "f{}", t.bits()),
        }
    }
}

/// What one cell of a memory holds. Memories are maps from addresses (in bytes) to cells; a scalar cell stands at the
/// address of its first byte, and no access overlaps it partially.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// One byte: scalars are spread over several cells, little endian.
    Byte,
    /// One scalar: every access of the memory has this type and starts where a cell starts.
    Scalar(Scalar),
}

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// IEEE floating-point values.
    Float(FloatTy),
    /// Memories: total maps from ℤ to cells.
    Mem(Cell),
}

/// The set of values a variable ranges over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VarTy {
    /// Truth values.
    Bool,
    /// All of ℤ.
    Int,
    /// The values of a machine scalar type.
    Scalar(Scalar),
    /// Memories.
    Mem(Cell),
}

impl VarTy {
    /// The sort of a term variable of this type.
    pub fn sort(self) -> Sort {
        match self {
            VarTy::Bool => Sort::Bool,
            VarTy::Int | VarTy::Scalar(Scalar::Int(_)) => Sort::Int,
            VarTy::Scalar(Scalar::Float(t)) => Sort::Float(t),
            VarTy::Mem(c) => Sort::Mem(c),
        }
    }
}

/// Index of a variable in its program; engines number auxiliary variables from [`VarId::FIRST_AUX`] on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

impl VarId {
    /// Indices from here on never name program variables.
    pub const FIRST_AUX: VarId = VarId(1 << 30);
    /// Indices from here on name variables that are bound by a "for all" around the whole formula; they are auxiliary, too.
    pub const FIRST_BOUND: VarId = VarId(1 << 31);
    /// Indices from here on name memories in which a proof records values as executions go; they are no variables of the program.
    pub const FIRST_RECORD: VarId = VarId(3 << 30);
}

/// A variable of a term: a program variable at a version. Version 0 is the current state; engines use other versions for
/// SSA copies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Var {
    /// Which variable.
    pub id: VarId,
    /// Which copy of it.
    pub version: u32,
    /// What it ranges over.
    pub ty: VarTy,
}

impl Var {
    /// The current-state variable `id`.
    pub fn new(id: VarId, ty: VarTy) -> Var {
        Var { id, version: 0, ty }
    }

    /// The same variable at another version.
    pub fn at(self, version: u32) -> Var {
        Var { version, ..self }
    }
}
