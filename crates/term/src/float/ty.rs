//! The four binary formats and the rounding directions.

/// A binary floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FloatTy {
    /// IEEE binary32, C's `float`.
    F32,
    /// IEEE binary64, C's `double`.
    F64,
    /// The x87 extended format with its explicit integer bit, gcc's `long double` on x86.
    F80,
    /// IEEE binary128, gcc's `__float128`.
    F128,
}

impl FloatTy {
    /// The width of the pattern in bits; how many bytes it takes in memory is the machine model's business.
    pub const fn bits(self) -> u32 {
        match self {
            FloatTy::F32 => 32,
            FloatTy::F64 => 64,
            FloatTy::F80 => 80,
            FloatTy::F128 => 128,
        }
    }

    /// The width of the exponent field.
    pub const fn exponent_bits(self) -> u32 {
        match self {
            FloatTy::F32 => 8,
            FloatTy::F64 => 11,
            FloatTy::F80 | FloatTy::F128 => 15,
        }
    }

    /// The precision *p*: significant binary digits, the integer bit included (C's `MANT_DIG`).
    pub const fn precision(self) -> u32 {
        match self {
            FloatTy::F32 => 24,
            FloatTy::F64 => 53,
            FloatTy::F80 => 64,
            FloatTy::F128 => 113,
        }
    }

    /// Whether the integer bit is stored.
    pub const fn has_explicit_integer_bit(self) -> bool {
        matches!(self, FloatTy::F80)
    }

    /// The width of the stored significand, with the integer bit if that is stored.
    pub const fn significand_bits(self) -> u32 {
        self.bits() - 1 - self.exponent_bits()
    }

    /// The exponent of the largest finite number's leading digit, which is also the bias.
    pub const fn max_exponent(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    pub const fn min_exponent(self) -> i32 {
        1 - self.max_exponent()
    }

    /// The number of decimal digits that identify every number of the format (C's `DECIMAL_DIG`).
    pub const fn decimal_digits(self) -> usize {
        match self {
            FloatTy::F32 => 9,
            FloatTy::F64 => 17,
            FloatTy::F80 => 21,
            FloatTy::F128 => 36,
        }
    }

    /// The exponent field of infinities and NaNs: all ones.
    pub(super) const fn exponent_mask(self) -> u32 {
        (1 << self.exponent_bits()) - 1
    }

    /// The stored significand of a number whose integer bit is the only one set.
    pub(super) const fn stored_integer_bit(self) -> u128 {
        if self.has_explicit_integer_bit() {
            1 << (self.precision() - 1)
        } else {
            0
        }
    }

    /// The bit that tells a quiet NaN from a signaling one.
    pub(super) const fn quiet_bit(self) -> u128 {
        1 << (self.precision() - 2)
    }
}

/// A rounding direction of IEEE 754, clause 4.3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RoundMode {
    /// To the nearest, ties to the even one.
    NearestEven,
    /// Towards zero: truncation.
    TowardZero,
    /// Towards plus infinity.
    Up,
    /// Towards minus infinity.
    Down,
    /// To the nearest, ties away from zero.
    NearestAway,
}
