//! Which NaN comes out when NaNs go in.
//!
//! IEEE 754 leaves it open; a program that looks at the sign or the payload sees what x86 does. SSE (`F32`, `F64`) takes the first NaN operand;
//! the x87 (`F80`) prefers a quiet one to a signaling one and then the larger significand, and answers unsupported patterns with the default
//! NaN. gcc's `__float128` routines follow the x87.

use super::{Float, FloatTy};

impl Float {
    /// The NaN made quiet.
    pub(super) fn quiet(self) -> Float {
        if self.is_unsupported() {
            return Float::default_nan(self.ty);
        }
        Float { ty: self.ty, bits: self.bits | self.ty.quiet_bit() }
    }

    /// The NaN that results from an operation on two operands at least one of which is NaN.
    pub(super) fn propagate_nan(self, other: Float) -> Float {
        if self.is_unsupported() || other.is_unsupported() {
            return Float::default_nan(self.ty);
        }
        match (self.is_nan(), other.is_nan()) {
            (true, false) => self.quiet(),
            (false, true) => other.quiet(),
            (false, false) => Float::default_nan(self.ty),
            (true, true) => match self.ty {
                FloatTy::F32 | FloatTy::F64 => self.quiet(),
                FloatTy::F80 | FloatTy::F128 => {
                    // The quiet bit is the leading one that differs, so the larger significand is the quiet one.
                    let key = |x: Float| (x.significand_field(), !x.sign_bit());
                    if key(self) >= key(other) {
                        self.quiet()
                    } else {
                        other.quiet()
                    }
                }
            },
        }
    }
}
