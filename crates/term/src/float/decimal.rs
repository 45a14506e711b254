//! Exact decimal expansions, and cutting them to a number of digits.

use super::number::Number;
use dashu_int::UBig;

/// The magnitude `0.d1 d2 d3 ... * 10^point`; the first digit is not zero, and zero has no digits.
#[derive(Clone, Debug)]
pub(super) struct Decimal {
    digits: Vec<u8>,
    /// The position of the decimal point, counted from before the first digit.
    pub(super) point: i64,
}

impl Decimal {
    pub(super) fn zero() -> Decimal {
        Decimal { digits: Vec::new(), point: 0 }
    }

    /// All digits of the number: a binary fraction is a decimal one, since `2^-n = 5^n * 10^-n`.
    pub(super) fn exact(number: &Number) -> Decimal {
        let zeros = number.mant.trailing_zeros();
        let mant = UBig::from(number.mant >> zeros);
        let exp = number.exp + zeros as i32;
        let distance = exp.unsigned_abs() as usize;
        let (integer, scale) = if exp >= 0 { (mant << distance, 0) } else { (mant * UBig::from(5u8).pow(distance), distance) };
        let digits: Vec<u8> = integer.to_string().bytes().map(|c| c - b'0').collect();
        let point = digits.len() as i64 - scale as i64;
        Decimal { digits, point }
    }

    /// The number of digits up to the last one that is not zero.
    pub(super) fn significant_digits(&self) -> usize {
        self.digits.iter().rposition(|&d| d != 0).map_or(0, |last| last + 1)
    }

    /// The exponent in scientific notation.
    pub(super) fn exponent(&self) -> i64 {
        if self.digits.is_empty() {
            0
        } else {
            self.point - 1
        }
    }

    /// The digit at an index, as a character.
    pub(super) fn digit(&self, index: i64) -> char {
        let digit = usize::try_from(index).ok().and_then(|i| self.digits.get(i));
        char::from(b'0' + digit.copied().unwrap_or(0))
    }

    /// Keeps the first `keep` digits (none if negative), rounding to nearest even.
    pub(super) fn round(&mut self, keep: i64) {
        if keep < 0 {
            // The first digit is at least one place below the last one kept: less than half of it.
            *self = Decimal::zero();
            return;
        }
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        let Some((&next, rest)) = self.digits.get(keep..).and_then(<[u8]>::split_first) else {
            return;
        };
        let odd = keep > 0 && self.digits[keep - 1] % 2 == 1;
        let up = next > 5 || (next == 5 && (odd || rest.iter().any(|&d| d != 0)));
        self.digits.truncate(keep);
        if up {
            self.increment();
        } else if self.digits.is_empty() {
            self.point = 0;
        }
    }

    /// Adds one to the last digit.
    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }
}
