//! Unpacking patterns to numbers and rounding numbers to patterns: the one place that knows how values are encoded.

use super::{Float, FloatTy, RoundMode};
use dashu_int::ops::BitTest;
use dashu_int::UBig;

/// A finite number other than zero, `(-1)^sign * mant * 2^exp`, normalised: the top bit of `mant` is set.
///
/// No format has more than 113 significant bits, so the low 15 bits of an unpacked `mant` are zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) sign: bool,
    pub(super) exp: i32,
    pub(super) mant: u128,
}

impl Number {
    /// The order of two magnitudes.
    pub(super) fn cmp_magnitude(&self, other: &Number) -> std::cmp::Ordering {
        (self.exp, self.mant).cmp(&(other.exp, other.mant))
    }
}

/// What a pattern stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Nan,
    /// Infinity, with its sign.
    Infinite(bool),
    /// Zero, with its sign.
    Zero(bool),
    Finite(Number),
}

impl Float {
    /// What the pattern stands for.
    pub(super) fn unpack(self) -> Value {
        let sign = self.sign_bit();
        if self.is_nan() {
            return Value::Nan;
        }
        if self.is_infinite() {
            return Value::Infinite(sign);
        }
        if self.is_zero() {
            return Value::Zero(sign);
        }
        let ty = self.ty;
        let field = self.exponent_field();
        // Subnormals have the exponent of the smallest normal number and no implicit bit.
        let implicit = field != 0 && !ty.has_explicit_integer_bit();
        let mant = self.significand_field() | (u128::from(implicit) << (ty.precision() - 1));
        let exp = field.max(1) as i32 - ty.max_exponent() - (ty.precision() as i32 - 1);
        let shift = mant.leading_zeros();
        Value::Finite(Number { sign, exp: exp - shift as i32, mant: mant << shift })
    }

    /// The zero with this sign.
    pub(super) const fn signed_zero(ty: FloatTy, sign: bool) -> Float {
        Float::zero(ty).with_sign(sign)
    }

    /// The infinity with this sign.
    pub(super) const fn signed_inf(ty: FloatTy, sign: bool) -> Float {
        Float::inf(ty).with_sign(sign)
    }

    /// The number `mant * 2^exp`, plus something below one unit of `mant` if `sticky`, rounded to nearest even.
    ///
    /// With `sticky`, `mant` must have at least two bits more than the precision, so that the rest is below the rounding bit.
    pub(super) fn pack(ty: FloatTy, sign: bool, exp: i64, mant: u128, sticky: bool) -> Float {
        if mant == 0 {
            return Float::signed_zero(ty, sign);
        }
        let shift = mant.leading_zeros();
        let mant = mant << shift;
        // The exponent of the leading digit.
        let lead = exp - i64::from(shift) + 127;
        let (min, max) = (i64::from(ty.min_exponent()), i64::from(ty.max_exponent()));
        let precision = i64::from(ty.precision());
        if lead > max {
            return Float::signed_inf(ty, sign);
        }
        let keep = precision - (min - lead).max(0);
        if keep < 0 {
            return Float::signed_zero(ty, sign);
        }
        let drop = (128 - keep) as u32;
        let (mut kept, half, rest) = split(mant, drop);
        if rounds_away(RoundMode::NearestEven, sign, kept & 1 == 1, half, rest || sticky) {
            kept += 1;
        }
        let mut field = lead.max(min) + max;
        if kept >> precision != 0 {
            kept >>= 1;
            field += 1;
        }
        if kept >> (precision - 1) == 0 {
            field = 0;
        }
        if field >= i64::from(ty.exponent_mask()) {
            return Float::signed_inf(ty, sign);
        }
        let stored = kept & ((1 << ty.significand_bits()) - 1);
        Float::from_fields(ty, sign, field as u32, stored)
    }

    /// [`Float::pack`] for a significand of any size.
    pub(super) fn pack_big(ty: FloatTy, sign: bool, exp: i64, mant: &UBig, sticky: bool) -> Float {
        let excess = mant.bit_len().saturating_sub(128);
        let top = u128::try_from(mant >> excess).unwrap_or(u128::MAX);
        let lost = mant.trailing_zeros().is_some_and(|zeros| zeros < excess);
        Float::pack(ty, sign, exp + excess as i64, top, sticky || lost)
    }
}

/// `mant` without its low `drop` bits, the first of those, and whether any other of them is set.
pub(super) fn split(mant: u128, drop: u32) -> (u128, bool, bool) {
    match drop {
        0 => (mant, false, false),
        1..=127 => {
            let low = mant << (128 - drop);
            (mant >> drop, low >> 127 == 1, low << 1 != 0)
        }
        128 => (0, mant >> 127 == 1, mant << 1 != 0),
        _ => (0, false, mant != 0),
    }
}

/// Whether a truncated magnitude has to be incremented, given the first bit that was cut off and whether any other was set.
pub(super) fn rounds_away(mode: RoundMode, sign: bool, odd: bool, half: bool, rest: bool) -> bool {
    match mode {
        RoundMode::NearestEven => half && (rest || odd),
        RoundMode::NearestAway => half,
        RoundMode::TowardZero => false,
        RoundMode::Up => !sign && (half || rest),
        RoundMode::Down => sign && (half || rest),
    }
}
