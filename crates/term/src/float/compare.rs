//! The comparisons of C, and `fmin` and `fmax`.

use super::number::Value;
use super::Float;
use std::cmp::Ordering;

impl Float {
    /// The order of two numbers, of whatever formats; none if one is NaN. Zeros are equal.
    pub fn compare(self, other: Float) -> Option<Ordering> {
        // Infinities are beyond, zeros below every finite magnitude.
        let key = |value: Value| match value {
            Value::Nan => None,
            Value::Infinite(sign) => Some((sign, 2, 0, 0)),
            Value::Zero(_) => Some((false, 0, 0, 0)),
            Value::Finite(a) => Some((a.sign, 1, a.exp, a.mant)),
        };
        let (a, b) = (key(self.unpack())?, key(other.unpack())?);
        Some(match (a.0, b.0) {
            (false, false) => a.cmp(&b),
            (true, true) => b.cmp(&a),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }

    /// C's `==`.
    pub fn feq(self, other: Float) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// C's `<`.
    pub fn lt(self, other: Float) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// C's `<=`.
    pub fn le(self, other: Float) -> bool {
        self.compare(other).is_some_and(Ordering::is_le)
    }

    /// C's `isunordered`.
    pub fn unordered(self, other: Float) -> bool {
        self.is_nan() || other.is_nan()
    }

    /// C's `fmin`: the smaller number; a quiet NaN is missing data. Of two zeros, where C has no opinion, the
    /// second operand, as glibc has it on x86 for `float` and `double`.
    pub fn fmin(self, other: Float) -> Float {
        self.select(other, Ordering::Less)
    }

    /// C's `fmax`: the larger number; a quiet NaN is missing data. Of two zeros, where C has no opinion, the
    /// second operand, as glibc has it on x86 for `float` and `double`.
    pub fn fmax(self, other: Float) -> Float {
        self.select(other, Ordering::Greater)
    }

    fn select(self, other: Float, wanted: Ordering) -> Float {
        let other = other.convert(self.ty);
        match self.compare(other) {
            Some(order) if order == wanted => self,
            Some(_) => other,
            None if self.is_signaling() || other.is_signaling() => self.propagate_nan(other),
            None if !other.is_nan() => other,
            None if !self.is_nan() => self,
            None => self.propagate_nan(other),
        }
    }
}
