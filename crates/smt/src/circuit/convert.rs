//! Conversions of floats: from and to integers, and between formats.

use super::gates::{Gates, Lit};
use super::round::{bias, precision, Fields};
use super::words::{resize, Word};
use crate::bounds::bit_len;
use plumb_term::{FloatTy, IBig, IntTy};

impl Gates {
    /// The integer as a float, rounded to nearest even.
    pub(super) fn ffrom_int(&mut self, ty: FloatTy, a: &[Lit], signed: bool) -> Word {
        let sign = if signed { a.last().copied().unwrap_or(Lit::FALSE) } else { Lit::FALSE };
        let negative = self.negative(a);
        // The least value is its own negative, and read without a sign its own magnitude.
        let magnitude = self.choose(sign, &negative, a);
        let (significand, zeros) = self.normalised(&magnitude);
        let most = IBig::from(bias(ty) + a.len() as i64 - 2);
        let wide = bit_len(&most).max(ty.exponent_bits());
        let most = self.numeral(&most, wide);
        let place = self.minus(&most, &resize(&zeros, false, wide));
        self.rounded(ty, sign, Lit::FALSE, (&place, &significand))
    }

    /// The integral part of a float, in the width of `to`; its least value if it is not one of `to`.
    pub(super) fn fto_int(&mut self, to: IntTy, a: &Fields) -> Word {
        let (p, w) = (precision(a.ty), usize::from(to.bits));
        let constant = |gates: &Gates, k: i64| gates.numeral(&IBig::from(k), a.ty.exponent_bits());
        let one = constant(self, bias(a.ty));
        let small = self.below(&a.exponent, &one);
        // From 2^w on; infinities and NaNs are there in any case.
        let most = (1i64 << a.ty.exponent_bits()) - 1;
        let first = constant(self, (bias(a.ty) + w as i64).min(most));
        let large = !self.below(&a.exponent, &first);
        // The significand at the top of the word, and down to where its exponent says. The distance is right modulo what the word is wide.
        let top: Vec<Lit> = match w.checked_sub(p) {
            Some(room) => std::iter::repeat_n(Lit::FALSE, room).chain(a.significand().iter().copied()).collect(),
            None => a.significand()[p - w..].to_vec(),
        };
        let bits = bit_len(&IBig::from(w as i64 - 1));
        let most = self.numeral(&IBig::from(bias(a.ty) + w as i64 - 1), bits);
        let distance = self.minus(&most, &resize(&a.exponent, false, bits));
        let whole = self.shift(&top, &distance, false, Lit::FALSE);
        let whole: Word = whole.iter().map(|l| self.and(!small, *l)).collect();
        if !to.signed {
            let none = self.or(large, a.sign);
            return whole.iter().map(|l| self.and(!none, *l)).collect();
        }
        // With the top bit it is the least value, or beyond it, or beyond the greatest.
        let none = self.or(large, whole[w - 1]);
        let negative = self.negative(&whole);
        let value = self.choose(a.sign, &negative, &whole);
        let least = self.numeral(&to.min(), w as u32);
        self.choose(none, &least, &value)
    }

    /// In another format, rounded to nearest even.
    pub(super) fn fcast(&mut self, to: FloatTy, a: &Fields) -> Word {
        let from = a.ty;
        let wide = from.exponent_bits().max(to.exponent_bits()) + 2;
        let result = if precision(to) > precision(from) {
            // Its subnormal numbers are normal ones here.
            let x = self.normal(a);
            let place = self.offset(&resize(&x.exponent, true, wide), bias(to) - bias(from) - 1);
            self.rounded(to, a.sign, a.infinite, (&place[..wide as usize - 1], &x.significand))
        } else {
            // Its subnormal numbers are next to zero here, wherever their leading digit is.
            let scale = a.scale(self);
            let exponent = self.offset(&resize(&scale, false, wide), bias(to) - bias(from));
            let (place, significand) = self.denormal(to, &exponent, &a.significand());
            self.rounded(to, a.sign, a.infinite, (&place, &significand))
        };
        let nan = self.some_nan(to);
        self.choose(a.nan, &nan, &result)
    }
}
