//! Rounding to integral values: `rint`, `floor`, `ceil`, `trunc` and `round` of C.

use super::number::{rounds_away, split, Value};
use super::{Float, RoundMode};

impl Float {
    /// The integral number next to this one in the direction given. Zeros keep their sign, and a result of zero has the sign of the operand.
    pub fn round_to_integral(self, mode: RoundMode) -> Float {
        match self.unpack() {
            Value::Nan => self.quiet(),
            Value::Infinite(_) | Value::Zero(_) => self,
            Value::Finite(a) if a.exp >= 0 => self,
            Value::Finite(a) => {
                let (mut kept, half, rest) = split(a.mant, a.exp.unsigned_abs());
                if rounds_away(mode, a.sign, kept & 1 == 1, half, rest) {
                    kept += 1;
                }
                Float::pack(self.ty, a.sign, 0, kept, false)
            }
        }
    }

    /// C's `floor`: the largest integral number not above this one.
    pub fn floor(self) -> Float {
        self.round_to_integral(RoundMode::Down)
    }

    /// C's `ceil`: the smallest integral number not below this one.
    pub fn ceil(self) -> Float {
        self.round_to_integral(RoundMode::Up)
    }

    /// C's `trunc`: the integral part.
    pub fn trunc(self) -> Float {
        self.round_to_integral(RoundMode::TowardZero)
    }

    /// C's `round`: the nearest integral number, halves away from zero.
    pub fn round(self) -> Float {
        self.round_to_integral(RoundMode::NearestAway)
    }

    /// C's `rint` and `nearbyint` in the default environment: the nearest integral number, halves to even.
    pub fn rint(self) -> Float {
        self.round_to_integral(RoundMode::NearestEven)
    }
}
