//! Tests: the generic way against the host's instructions, all formats against a C compiler and its library, and texts known from the
//! standards.

mod compiler;
mod midpoints;
mod native;
mod text;

use super::{Float, FloatTy};

/// Sebastiano Vigna's splitmix64: the cases must be the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A datum: any class, often with few significant bits or long runs, most often of moderate magnitude.
    fn float(&mut self, ty: FloatTy) -> Float {
        let sign = self.below(2) == 1;
        let mask = (1u128 << ty.significand_bits()) - 1;
        let width = u64::from(ty.significand_bits());
        let significand = match self.below(6) {
            0 => 0,
            // Products and sums of few powers of two are often midpoints.
            5 => 1 << self.below(width) | 1 << self.below(width) | 1 << (width / 2 - 1 + self.below(3)),
            1 => self.wide() << self.below(120),
            2 => !0 << self.below(120),
            3 => !0 >> (128 - u128::from(self.below(64)).max(1)),
            _ => self.wide(),
        } & mask;
        let bias = ty.max_exponent() as u64;
        let field = match self.below(24) {
            0 => 0,
            1 => u64::from(ty.exponent_mask()),
            2 => self.below(u64::from(ty.exponent_mask()) + 1),
            3 => u64::from(ty.exponent_mask()) - 1,
            4 => 1,
            5..=8 => bias - 2 + self.below(5),
            _ => bias - 75 + self.below(150),
        };
        if ty.has_explicit_integer_bit() && self.below(40) == 0 {
            // Pseudo-denormals, and patterns that the x87 does not support.
            return Float::from_fields(ty, sign, field as u32, self.wide() & mask);
        }
        let integer_bit = if field == 0 { 0 } else { ty.stored_integer_bit() };
        Float::from_fields(ty, sign, field as u32, significand & !ty.stored_integer_bit() | integer_bit)
    }

    /// A datum near another: equal, opposite or differing in low bits, or else any.
    fn near(&mut self, x: Float) -> Float {
        match self.below(6) {
            0 => x,
            1 => x.neg(),
            2 if x.is_normal() => Float::from_bits(x.ty, x.bits ^ u128::from(self.below(8))),
            3 if x.is_normal() => Float::from_bits(x.ty, x.bits ^ u128::from(self.below(8))).neg(),
            _ => self.float(x.ty),
        }
    }
}
