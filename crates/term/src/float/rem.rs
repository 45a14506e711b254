//! The two remainders, which are always exact: C's `fmod` (quotient truncated) and IEEE's `remainder` (quotient rounded to nearest even).

use super::number::{Number, Value};
use super::Float;

#[expect(clippy::should_implement_trait, reason = "see the arithmetic operations")]
impl Float {
    /// C's `fmod`: `self - n * other`, with `n` the quotient truncated; the sign is that of `self`.
    pub fn rem(self, other: Float) -> Float {
        self.remainder_by(other.convert(self.ty), false)
    }

    /// C's and IEEE's `remainder`: `self - n * other`, with `n` the quotient rounded to nearest even.
    pub fn remainder(self, other: Float) -> Float {
        self.remainder_by(other.convert(self.ty), true)
    }

    fn remainder_by(self, other: Float, nearest: bool) -> Float {
        match (self.unpack(), other.unpack()) {
            (Value::Nan, _) | (_, Value::Nan) => self.propagate_nan(other),
            (Value::Infinite(_), _) | (_, Value::Zero(_)) => Float::default_nan(self.ty),
            (Value::Zero(_), _) | (_, Value::Infinite(_)) => self,
            (Value::Finite(a), Value::Finite(b)) => {
                let (magnitude, exp, flipped) = divide(&a, &b, nearest);
                if magnitude == 0 {
                    return Float::signed_zero(self.ty, a.sign);
                }
                Float::pack(self.ty, a.sign != flipped, i64::from(exp), magnitude, false)
            }
        }
    }
}

/// The magnitude of the remainder of `a` by `b` as significand and exponent, and whether its sign is not that of `a`.
fn divide(a: &Number, b: &Number, nearest: bool) -> (u128, i32, bool) {
    // If `a` is below half of `b` both quotients are zero.
    if a.exp < b.exp - 1 {
        return (a.mant, a.exp, false);
    }
    // Room for doubling, in units of 2^(b.exp + 2); `a` may be one binary place below `b`.
    let divisor = b.mant >> 2;
    let mut rest = a.mant >> 2;
    let mut odd = false;
    if a.exp < b.exp {
        rest >>= 1;
    } else {
        for step in 0..=a.exp - b.exp {
            if step > 0 {
                rest <<= 1;
            }
            odd = rest >= divisor;
            if odd {
                rest -= divisor;
            }
        }
    }
    let exp = b.exp + 2;
    if nearest && (rest << 1 > divisor || (rest << 1 == divisor && odd)) {
        return (divisor - rest, exp, true);
    }
    (rest, exp, false)
}
