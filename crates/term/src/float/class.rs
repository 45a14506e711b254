//! Patterns: the constants, the fields, the classes of data, and the operations on the sign bit.

use super::{Float, FloatTy};

impl Float {
    /// The float with this pattern; bits above the format's width are dropped.
    pub const fn from_bits(ty: FloatTy, bits: u128) -> Float {
        Float { ty, bits: bits & (u128::MAX >> (128 - ty.bits())) }
    }

    /// The pattern with these fields, where `significand` is the stored one.
    pub(super) const fn from_fields(ty: FloatTy, sign: bool, exponent: u32, significand: u128) -> Float {
        Float { ty, bits: (sign as u128) << (ty.bits() - 1) | (exponent as u128) << ty.significand_bits() | significand }
    }

    /// Positive zero.
    pub const fn zero(ty: FloatTy) -> Float {
        Float { ty, bits: 0 }
    }

    /// The number one.
    pub const fn one(ty: FloatTy) -> Float {
        Float::from_fields(ty, false, ty.max_exponent() as u32, ty.stored_integer_bit())
    }

    /// Positive infinity.
    pub const fn inf(ty: FloatTy) -> Float {
        Float::from_fields(ty, false, ty.exponent_mask(), ty.stored_integer_bit())
    }

    /// The positive quiet NaN without payload: C's `NAN`.
    pub const fn nan(ty: FloatTy) -> Float {
        Float::from_fields(ty, false, ty.exponent_mask(), ty.stored_integer_bit() | ty.quiet_bit())
    }

    /// The NaN that x86 returns from an invalid operation: [`Float::nan`] with the sign bit set.
    pub const fn default_nan(ty: FloatTy) -> Float {
        Float::nan(ty).neg()
    }

    /// The largest finite number (C's `DBL_MAX`).
    pub const fn max_finite(ty: FloatTy) -> Float {
        let significand = (1 << ty.significand_bits()) - 1;
        Float::from_fields(ty, false, ty.exponent_mask() - 1, significand)
    }

    /// The smallest positive normal number (C's `DBL_MIN`).
    pub const fn min_positive(ty: FloatTy) -> Float {
        Float::from_fields(ty, false, 1, ty.stored_integer_bit())
    }

    /// The smallest positive number (C's `DBL_TRUE_MIN`).
    pub const fn min_subnormal(ty: FloatTy) -> Float {
        Float { ty, bits: 1 }
    }

    /// The sign bit, of any datum (C's `signbit`).
    pub const fn sign_bit(self) -> bool {
        self.bits >> (self.ty.bits() - 1) & 1 == 1
    }

    /// The biased exponent field.
    pub(super) const fn exponent_field(self) -> u32 {
        (self.bits >> self.ty.significand_bits()) as u32 & self.ty.exponent_mask()
    }

    /// The stored significand.
    pub(super) const fn significand_field(self) -> u128 {
        self.bits & ((1 << self.ty.significand_bits()) - 1)
    }

    /// Whether this is an x87 pattern that no operation produces and every operation of the 80387 and later rejects: an exponent that is
    /// not zero without the integer bit (unnormal, pseudo-infinity, pseudo-NaN).
    pub(super) const fn is_unsupported(self) -> bool {
        self.ty.has_explicit_integer_bit() && self.exponent_field() != 0 && self.significand_field() & self.ty.stored_integer_bit() == 0
    }

    /// Not a number. The x87 patterns without a meaning count as NaN, as in glibc.
    pub const fn is_nan(self) -> bool {
        self.is_unsupported()
            || (self.exponent_field() == self.ty.exponent_mask() && self.significand_field() != self.ty.stored_integer_bit())
    }

    /// A NaN whose use is an invalid operation.
    pub const fn is_signaling(self) -> bool {
        self.is_nan() && (self.is_unsupported() || self.significand_field() & self.ty.quiet_bit() == 0)
    }

    /// Plus or minus infinity.
    pub const fn is_infinite(self) -> bool {
        self.exponent_field() == self.ty.exponent_mask() && self.significand_field() == self.ty.stored_integer_bit()
    }

    /// Neither infinity nor NaN.
    pub const fn is_finite(self) -> bool {
        self.exponent_field() != self.ty.exponent_mask() && !self.is_unsupported()
    }

    /// A finite number of full precision: neither zero nor subnormal (C's `isnormal`).
    pub const fn is_normal(self) -> bool {
        self.is_finite() && self.exponent_field() != 0
    }

    /// A number other than zero below the smallest normal one; x87's pseudo-denormals are among them.
    pub const fn is_subnormal(self) -> bool {
        self.exponent_field() == 0 && self.significand_field() != 0
    }

    /// Plus or minus zero.
    pub const fn is_zero(self) -> bool {
        self.exponent_field() == 0 && self.significand_field() == 0
    }

    /// The datum with the other sign; a NaN stays as it is otherwise.
    pub const fn neg(self) -> Float {
        self.with_sign(!self.sign_bit())
    }

    /// The datum with the sign bit cleared (C's `fabs`).
    pub const fn abs(self) -> Float {
        self.with_sign(false)
    }

    /// The datum with the sign of another (C's `copysign`).
    pub const fn copysign(self, sign: Float) -> Float {
        self.with_sign(sign.sign_bit())
    }

    /// The datum with this sign bit.
    pub(super) const fn with_sign(self, sign: bool) -> Float {
        let mask = 1 << (self.ty.bits() - 1);
        Float { ty: self.ty, bits: if sign { self.bits | mask } else { self.bits & !mask } }
    }
}
