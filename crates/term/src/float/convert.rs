//! Conversions: between formats, from and to integers, from and to the host's floats.

use super::number::Value;
use super::{Float, FloatTy, RoundMode};
use dashu_int::{IBig, Sign, UBig};

impl Float {
    /// The number in another format, rounded to nearest even. A NaN is quieted and keeps the leading bits of its payload; a conversion
    /// to the own format changes nothing.
    pub fn convert(self, ty: FloatTy) -> Float {
        if ty == self.ty {
            return self;
        }
        match self.unpack() {
            Value::Nan if self.is_unsupported() => Float::default_nan(ty),
            Value::Nan => {
                let (from, to) = (self.ty.precision(), ty.precision());
                let payload = self.significand_field() & !self.ty.stored_integer_bit();
                let payload = if to >= from { payload << (to - from) } else { payload >> (from - to) };
                Float::from_fields(ty, self.sign_bit(), ty.exponent_mask(), ty.stored_integer_bit() | payload).quiet()
            }
            Value::Infinite(sign) => Float::signed_inf(ty, sign),
            Value::Zero(sign) => Float::signed_zero(ty, sign),
            Value::Finite(a) => Float::pack(ty, a.sign, i64::from(a.exp), a.mant, false),
        }
    }

    /// The integer, rounded to nearest even; infinity if it is out of range.
    pub fn from_int(ty: FloatTy, value: &IBig) -> Float {
        let (sign, magnitude) = value.clone().into_parts();
        Float::pack_big(ty, sign == Sign::Negative, 0, &magnitude, false)
    }

    /// The integer next to this number in the direction given, C's conversion with [`RoundMode::TowardZero`]; none for infinities and NaN.
    pub fn to_int(self, mode: RoundMode) -> Option<IBig> {
        match self.round_to_integral(mode).unpack() {
            Value::Nan | Value::Infinite(_) => None,
            Value::Zero(_) => Some(IBig::ZERO),
            Value::Finite(a) => {
                let mant = UBig::from(a.mant);
                let distance = a.exp.unsigned_abs() as usize;
                let magnitude = if a.exp >= 0 { mant << distance } else { mant >> distance };
                Some(IBig::from_parts(if a.sign { Sign::Negative } else { Sign::Positive }, magnitude))
            }
        }
    }

    /// The host's `f32` as it is.
    pub const fn from_f32(value: f32) -> Float {
        Float { ty: FloatTy::F32, bits: value.to_bits() as u128 }
    }

    /// The host's `f64` as it is.
    pub const fn from_f64(value: f64) -> Float {
        Float { ty: FloatTy::F64, bits: value.to_bits() as u128 }
    }

    /// The number as the host's `f32`, rounded to nearest even.
    pub fn to_f32(self) -> f32 {
        f32::from_bits(self.convert(FloatTy::F32).bits as u32)
    }

    /// The number as the host's `f64`, rounded to nearest even.
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(FloatTy::F64).bits as u64)
    }
}
