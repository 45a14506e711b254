//! Addition, subtraction, multiplication, division, square root and fused multiply-add, correctly rounded to nearest even.

use super::number::{Number, Value};
use super::{Float, FloatTy};
use dashu_int::ops::SquareRootRem;
use dashu_int::{IBig, Sign, UBig};
use std::cmp::Ordering;

#[expect(clippy::should_implement_trait, reason = "an operator would hide that the operation rounds and that operands have formats")]
impl Float {
    /// The sum.
    pub fn add(self, other: Float) -> Float {
        let other = other.convert(self.ty);
        self.on_host(other, |a, b| a + b, |a, b| a + b).unwrap_or_else(|| self.soft_add(other))
    }

    /// The difference.
    pub fn sub(self, other: Float) -> Float {
        let other = other.convert(self.ty);
        self.on_host(other, |a, b| a - b, |a, b| a - b).unwrap_or_else(|| self.soft_sub(other))
    }

    /// The product.
    pub fn mul(self, other: Float) -> Float {
        let other = other.convert(self.ty);
        self.on_host(other, |a, b| a * b, |a, b| a * b).unwrap_or_else(|| self.soft_mul(other))
    }

    /// The quotient.
    pub fn div(self, other: Float) -> Float {
        let other = other.convert(self.ty);
        self.on_host(other, |a, b| a / b, |a, b| a / b).unwrap_or_else(|| self.soft_div(other))
    }

    /// The square root.
    pub fn sqrt(self) -> Float {
        self.on_host(self, |a, _| a.sqrt(), |a, _| a.sqrt()).unwrap_or_else(|| self.soft_sqrt())
    }

    /// `self * factor + addend` with one rounding (C's `fma`).
    pub fn fma(self, factor: Float, addend: Float) -> Float {
        let ty = self.ty;
        let (factor, addend) = (factor.convert(ty), addend.convert(ty));
        if self.is_nan() || factor.is_nan() {
            let product = self.propagate_nan(factor);
            return if addend.is_nan() { product.propagate_nan(addend) } else { product };
        }
        let sign = self.sign_bit() != factor.sign_bit();
        match (self.unpack(), factor.unpack(), addend.unpack()) {
            (_, _, Value::Nan) => addend.quiet(),
            (Value::Finite(a), Value::Finite(b), Value::Finite(c)) => fused(ty, &a, &b, &c),
            (Value::Finite(a), Value::Finite(b), Value::Zero(_)) => product(ty, &a, &b),
            (Value::Finite(_), Value::Finite(_), _) => addend,
            // The product is zero, infinite or invalid, so it is exact and adding rounds nothing away.
            (a, b, _) => exceptional_product(ty, sign, a, b).add(addend),
        }
    }

    /// The operation on the host's floats where those are of this format, unless the result is NaN: which NaN is ours to decide.
    fn on_host(self, other: Float, f32_op: fn(f32, f32) -> f32, f64_op: fn(f64, f64) -> f64) -> Option<Float> {
        let result = match self.ty {
            FloatTy::F32 => Float::from_f32(f32_op(f32::from_bits(self.bits as u32), f32::from_bits(other.bits as u32))),
            FloatTy::F64 => Float::from_f64(f64_op(f64::from_bits(self.bits as u64), f64::from_bits(other.bits as u64))),
            FloatTy::F80 | FloatTy::F128 => return None,
        };
        (!result.is_nan()).then_some(result)
    }

    pub(super) fn soft_add(self, other: Float) -> Float {
        let ty = self.ty;
        match (self.unpack(), other.unpack()) {
            (Value::Nan, _) | (_, Value::Nan) => self.propagate_nan(other),
            (Value::Infinite(a), Value::Infinite(b)) if a != b => Float::default_nan(ty),
            (Value::Infinite(sign), _) | (_, Value::Infinite(sign)) => Float::signed_inf(ty, sign),
            (Value::Zero(a), Value::Zero(b)) => Float::signed_zero(ty, a && b),
            (Value::Finite(a), Value::Zero(_)) | (Value::Zero(_), Value::Finite(a)) => exact(ty, &a),
            (Value::Finite(a), Value::Finite(b)) => sum(ty, &a, &b),
        }
    }

    pub(super) fn soft_sub(self, other: Float) -> Float {
        // The sign of a NaN operand must survive.
        self.soft_add(if other.is_nan() { other } else { other.neg() })
    }

    pub(super) fn soft_mul(self, other: Float) -> Float {
        let sign = self.sign_bit() != other.sign_bit();
        match (self.unpack(), other.unpack()) {
            (Value::Nan, _) | (_, Value::Nan) => self.propagate_nan(other),
            (Value::Finite(a), Value::Finite(b)) => product(self.ty, &a, &b),
            (a, b) => exceptional_product(self.ty, sign, a, b),
        }
    }

    pub(super) fn soft_div(self, other: Float) -> Float {
        let ty = self.ty;
        let sign = self.sign_bit() != other.sign_bit();
        match (self.unpack(), other.unpack()) {
            (Value::Nan, _) | (_, Value::Nan) => self.propagate_nan(other),
            (Value::Infinite(_), Value::Infinite(_)) | (Value::Zero(_), Value::Zero(_)) => Float::default_nan(ty),
            (Value::Infinite(_), _) | (_, Value::Zero(_)) => Float::signed_inf(ty, sign),
            (Value::Zero(_), _) | (_, Value::Infinite(_)) => Float::signed_zero(ty, sign),
            (Value::Finite(a), Value::Finite(b)) => quotient(ty, &a, &b),
        }
    }

    pub(super) fn soft_sqrt(self) -> Float {
        match self.unpack() {
            Value::Nan => self.quiet(),
            Value::Zero(_) | Value::Infinite(false) => self,
            Value::Infinite(true) | Value::Finite(Number { sign: true, .. }) => Float::default_nan(self.ty),
            Value::Finite(a) => {
                // An even exponent, and a root of exactly 128 bits.
                let shift = if a.exp % 2 == 0 { 128 } else { 127 };
                let (root, rest) = (UBig::from(a.mant) << shift as usize).sqrt_rem();
                Float::pack_big(self.ty, false, i64::from((a.exp - shift) / 2), &root, !rest.is_zero())
            }
        }
    }
}

/// The number as it is; a pseudo-denormal gets its normal form.
fn exact(ty: FloatTy, a: &Number) -> Float {
    Float::pack(ty, a.sign, i64::from(a.exp), a.mant, false)
}

fn sum(ty: FloatTy, a: &Number, b: &Number) -> Float {
    let (large, small) = if a.cmp_magnitude(b) == Ordering::Less { (b, a) } else { (a, b) };
    let distance = (large.exp - small.exp) as u32;
    // One bit of room for the carry. Bits of the smaller one are lost only if the distance exceeds its 14 trailing zeros; then at
    // most one leading digit cancels, and what remains is long enough to round with a sticky bit.
    let high = large.mant >> 1;
    let low = (small.mant >> 1).checked_shr(distance).unwrap_or(0);
    let sticky = distance > (small.mant >> 1).trailing_zeros();
    let mant = if large.sign == small.sign { high + low } else { high - low - u128::from(sticky) };
    // An exact difference of zero is positive when rounding to nearest.
    let sign = large.sign && mant != 0;
    Float::pack(ty, sign, i64::from(large.exp) + 1, mant, sticky)
}

fn product(ty: FloatTy, a: &Number, b: &Number) -> Float {
    let (high, low) = wide_mul(a.mant, b.mant);
    Float::pack(ty, a.sign != b.sign, i64::from(a.exp) + i64::from(b.exp) + 128, high, low != 0)
}

/// A product in which a factor is zero or infinite, and none is NaN.
fn exceptional_product(ty: FloatTy, sign: bool, a: Value, b: Value) -> Float {
    match (a, b) {
        (Value::Infinite(_), Value::Zero(_)) | (Value::Zero(_), Value::Infinite(_)) => Float::default_nan(ty),
        (Value::Infinite(_), _) | (_, Value::Infinite(_)) => Float::signed_inf(ty, sign),
        _ => Float::signed_zero(ty, sign),
    }
}

/// The 256-bit product of two 128-bit numbers, high half first.
fn wide_mul(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let cross = a0 * b1 + (middle & LOW);
    (a1 * b1 + (middle >> 64) + (cross >> 64), cross << 64 | low & LOW)
}

fn quotient(ty: FloatTy, a: &Number, b: &Number) -> Float {
    // The remainder is doubled in each step, so it needs room; the low bits of a significand are zero.
    let (mut rest, divisor) = (a.mant >> 2, b.mant >> 2);
    let mut quotient = 0u128;
    for step in 0..128 {
        if step > 0 {
            rest <<= 1;
            quotient <<= 1;
        }
        if rest >= divisor {
            rest -= divisor;
            quotient |= 1;
        }
    }
    Float::pack(ty, a.sign != b.sign, i64::from(a.exp) - i64::from(b.exp) - 127, quotient, rest != 0)
}

fn fused(ty: FloatTy, a: &Number, b: &Number, c: &Number) -> Float {
    let signed = |sign: bool, magnitude: UBig| IBig::from_parts(if sign { Sign::Negative } else { Sign::Positive }, magnitude);
    let product = signed(a.sign != b.sign, UBig::from(a.mant) * UBig::from(b.mant));
    let addend = signed(c.sign, UBig::from(c.mant));
    // Exponents are below 2^15 in magnitude, so aligning exactly costs some kilobytes at worst.
    let exp = (a.exp + b.exp).min(c.exp);
    let (sign, mant) = ((product << (a.exp + b.exp - exp) as usize) + (addend << (c.exp - exp) as usize)).into_parts();
    Float::pack_big(ty, sign == Sign::Negative, i64::from(exp), &mant, false)
}
