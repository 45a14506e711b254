//! Reading the floating constants of C (ISO C11, 6.4.4.2), decimal and hexadecimal, correctly rounded.
//!
//! The value is computed exactly in big integers. Their size is bounded whatever the text says: magnitudes beyond every format are
//! decided by the position of the leading digit, and digits beyond those that can tell a number from a midpoint of two neighbours only
//! matter by not all being zero.

use super::{Float, FloatTy};
use dashu_int::ops::{BitTest, DivRem};
use dashu_int::UBig;

/// The midpoint of two neighbours in the widest format has fewer than 11,600 significant decimal digits.
const MAX_DIGITS: usize = 12_000;
/// A decimal exponent beyond the widest format's range, which is about -4966 to 4932.
const EXPONENT_LIMIT: i64 = 5_100;
/// Written exponents are clamped to this, far beyond any effect but without overflow.
const CLAMP: i64 = 1 << 40;

impl Float {
    /// The number that the text of a C constant without suffix denotes, rounded to nearest even; none if the text is not one.
    ///
    /// Decimal digits alone are accepted, the exponent of a hexadecimal constant may be missing, and there may be a sign: what
    /// `strtod` reads, except `inf` and `nan`.
    pub fn parse(ty: FloatTy, text: &str) -> Option<Float> {
        let (negative, rest) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let magnitude = match rest {
            [b'0', b'x' | b'X', digits @ ..] => parse_hexadecimal(ty, digits),
            digits => parse_decimal(ty, digits),
        };
        magnitude.map(|x| x.with_sign(negative))
    }
}

/// The digits of a constant as values, its scale: how many of them are after the point, and its exponent.
struct Literal {
    digits: Vec<u8>,
    scale: i64,
    exponent: i64,
}

/// Takes a constant apart; `marks` are the letters before the exponent.
fn split_literal(text: &[u8], radix: u32, marks: [u8; 2]) -> Option<Literal> {
    let end = text.iter().position(|c| marks.contains(c)).unwrap_or(text.len());
    let (body, tail) = text.split_at(end);
    let exponent = match tail {
        [] => 0,
        [_, tail @ ..] => parse_exponent(tail)?,
    };
    let mut digits = Vec::with_capacity(body.len());
    let mut point = None;
    for &c in body {
        match c {
            b'.' if point.is_none() => point = Some(digits.len()),
            _ => digits.push(char::from(c).to_digit(radix)? as u8),
        }
    }
    if digits.is_empty() {
        return None;
    }
    let scale = point.map_or(0, |at| digits.len() - at) as i64;
    Some(Literal { digits, scale, exponent })
}

/// A signed decimal number, clamped.
fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for &c in digits {
        value = (value * 10 + i64::from(char::from(c).to_digit(10)?)).min(CLAMP);
    }
    Some(sign * value)
}

fn parse_hexadecimal(ty: FloatTy, text: &[u8]) -> Option<Float> {
    let literal = split_literal(text, 16, [b'p', b'P'])?;
    let mut exp = literal.exponent - 4 * literal.scale;
    let (mut mant, mut sticky) = (0u128, false);
    for &digit in &literal.digits {
        if mant >> 124 == 0 {
            mant = mant << 4 | u128::from(digit);
        } else {
            sticky |= digit != 0;
            exp += 4;
        }
    }
    Some(Float::pack(ty, false, exp, mant, sticky))
}

fn parse_decimal(ty: FloatTy, text: &[u8]) -> Option<Float> {
    let literal = split_literal(text, 10, [b'e', b'E'])?;
    let Some(first) = literal.digits.iter().position(|&d| d != 0) else {
        return Some(Float::zero(ty));
    };
    let last = literal.digits.iter().rposition(|&d| d != 0).unwrap_or(first);
    let significant = &literal.digits[first..=last];
    let mut exponent = literal.exponent - literal.scale + (literal.digits.len() - 1 - last) as i64;
    let magnitude = exponent + significant.len() as i64;
    if magnitude > EXPONENT_LIMIT {
        return Some(Float::inf(ty));
    }
    if magnitude < -EXPONENT_LIMIT {
        return Some(Float::zero(ty));
    }
    let mut digits: String = significant.iter().take(MAX_DIGITS).map(|&d| char::from(b'0' + d)).collect();
    if significant.len() > MAX_DIGITS {
        // The last digit is not zero: whatever follows, it is strictly between this and the next prefix.
        digits.push('1');
        exponent += (significant.len() - MAX_DIGITS - 1) as i64;
    }
    let mant = UBig::from_str_radix(&digits, 10).ok()?;
    let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
    if exponent >= 0 {
        return Some(Float::pack_big(ty, false, 0, &(mant * power), false));
    }
    // A quotient of at least 128 bits.
    let shift = (129 + power.bit_len()).saturating_sub(mant.bit_len());
    let (quotient, rest) = (mant << shift).div_rem(power);
    Some(Float::pack_big(ty, false, -(shift as i64), &quotient, !rest.is_zero()))
}
