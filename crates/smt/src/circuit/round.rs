//! Floats taken apart, and numbers rounded to floats.
//!
//! A pattern is read as [`Fields`]; an operation computes a significand that is long enough, with what is cut off gathered in its lowest bit (*sticky*), and the
//! *place* of its leading digit: the exponent field that it would have, less one. Rounding adds place, significand and increment in one sum: a carry out of the
//! fraction is a step to the next exponent, also from the largest subnormal number to the least normal one, and zero needs no case of its own.

use super::gates::{Gates, Lit};
use super::words::{resize, Word};
use plumb_term::{FloatTy, IBig};

/// Whether a format has circuits: those of `float` and `double`.
pub(super) fn is_supported(ty: FloatTy) -> bool {
    matches!(ty, FloatTy::F32 | FloatTy::F64)
}

/// The precision, as a length.
pub(super) fn precision(ty: FloatTy) -> usize {
    ty.precision() as usize
}

/// What is added to an exponent to make it a field.
pub(super) fn bias(ty: FloatTy) -> i64 {
    i64::from(ty.max_exponent())
}

/// A pattern, taken apart.
#[derive(Clone)]
pub(super) struct Fields {
    pub(super) ty: FloatTy,
    pub(super) sign: Lit,
    /// The exponent field.
    pub(super) exponent: Word,
    /// The stored significand.
    pub(super) fraction: Word,
    pub(super) nan: Lit,
    pub(super) infinite: Lit,
    pub(super) zero: Lit,
    /// Whether the exponent field is zero.
    pub(super) least: Lit,
}

impl Fields {
    /// All but the sign; the order of these numbers is that of the magnitudes.
    pub(super) fn magnitude(&self) -> Word {
        self.fraction.iter().chain(self.exponent.iter()).copied().collect()
    }

    /// Put together again.
    pub(super) fn pattern(&self) -> Word {
        self.fraction.iter().chain(self.exponent.iter()).chain([&self.sign]).copied().collect()
    }

    /// Whether the float is a signaling NaN.
    pub(super) fn signaling(&self, gates: &mut Gates) -> Lit {
        let quiet = self.fraction[self.fraction.len() - 1];
        gates.and(self.nan, !quiet)
    }

    /// The significand with its integer bit; its leading digit has the exponent [`Fields::scale`].
    pub(super) fn significand(&self) -> Word {
        self.fraction.iter().copied().chain([!self.least]).collect()
    }

    /// The exponent field, where that of the subnormal numbers counts as 1.
    pub(super) fn scale(&self, gates: &mut Gates) -> Word {
        let mut out = self.exponent.to_vec();
        out[0] = gates.or(out[0], self.least);
        out.into()
    }
}

/// A number whose significand begins with its leading digit, unless it is zero.
pub(super) struct Normal {
    /// The exponent field that it had if there was no least one, in two's complement with two bits more.
    pub(super) exponent: Word,
    pub(super) significand: Word,
}

impl Gates {
    pub(super) fn fields(&mut self, ty: FloatTy, pattern: &[Lit]) -> Fields {
        let (fraction, rest) = pattern.split_at(precision(ty) - 1);
        let (exponent, sign) = rest.split_at(rest.len() - 1);
        let most = self.all(exponent.iter().copied());
        let least = self.all(exponent.iter().map(|l| !*l));
        let nothing = self.all(fraction.iter().map(|l| !*l));
        Fields {
            ty,
            sign: sign[0],
            exponent: exponent.into(),
            fraction: fraction.into(),
            nan: self.and(most, !nothing),
            infinite: self.and(most, nothing),
            zero: self.and(least, nothing),
            least,
        }
    }

    pub(super) fn normal(&mut self, a: &Fields) -> Normal {
        let (significand, zeros) = self.normalised(&a.significand());
        let width = a.ty.exponent_bits() + 2;
        let scale = a.scale(self);
        let exponent = self.minus(&resize(&scale, false, width), &resize(&zeros, false, width));
        Normal { exponent, significand }
    }

    /// Shifted left until the top bit is set, and by how much.
    pub(super) fn normalised(&mut self, a: &[Lit]) -> (Word, Word) {
        let mut out: Word = a.into();
        let mut count = Vec::new();
        for n in steps(a.len()) {
            let clear = self.all(out[out.len() - n..].iter().map(|l| !*l));
            out = self.choose(clear, &Gates::shifted(&out, n), &out);
            count.push(clear);
        }
        count.reverse();
        (out, count.into())
    }

    /// Shifted left until the top bit is set, but by at most `room`; and the room that is left.
    pub(super) fn normalised_within(&mut self, a: &[Lit], room: &[Lit]) -> (Word, Word) {
        let (mut out, mut room): (Word, Vec<Lit>) = (a.into(), room.to_vec());
        for n in steps(a.len()) {
            let k = (n.trailing_zeros() as usize).min(room.len());
            let enough = self.any(room[k..].iter().copied());
            let clear = self.all(out[out.len() - n..].iter().map(|l| !*l));
            let go = self.and(enough, clear);
            out = self.choose(go, &Gates::shifted(&out, n), &out);
            let ones = vec![Lit::TRUE; room.len() - k];
            let high = self.adder(&room[k..], &ones, !go).0;
            room.truncate(k);
            room.extend(high.iter());
        }
        (out, room.into())
    }

    /// The `n` leading bits, the last of which is set as well if something below it was.
    pub(super) fn cut(&mut self, a: &[Lit], n: usize) -> Word {
        match a.len().checked_sub(n) {
            None | Some(0) => std::iter::repeat_n(Lit::FALSE, n - a.len()).chain(a.iter().copied()).collect(),
            Some(excess) => {
                let sticky = self.any(a[..=excess].iter().copied());
                [sticky].into_iter().chain(a[excess + 1..].iter().copied()).collect()
            }
        }
    }

    /// Shifted right; the lowest bit is set as well if something was shifted out.
    pub(super) fn shift_sticky(&mut self, a: &[Lit], by: &[Lit]) -> Word {
        let w = a.len();
        let small = by.len().min((usize::BITS - (w - 1).leading_zeros()) as usize);
        let mut out: Word = a.into();
        for (i, bit) in by[..small].iter().enumerate() {
            let n = 1usize << i;
            let kept = self.cut(&out, w - n);
            out = self.choose(*bit, &resize(&kept, false, w as u32), &out);
        }
        let beyond = self.any(by[small..].iter().copied());
        let sticky = self.any(out.iter().copied());
        let gone: Word = [sticky].into_iter().chain(std::iter::repeat_n(Lit::FALSE, w - 1)).collect();
        self.choose(beyond, &gone, &out)
    }

    /// Makes room for the numbers below the least normal one: the place and the significand of a number with this exponent (in two's complement).
    pub(super) fn denormal(&mut self, ty: FloatTy, exponent: &[Lit], significand: &[Lit]) -> (Word, Word) {
        let place = self.offset(exponent, -1);
        let (place, tiny) = (&place[..place.len() - 1], place[place.len() - 1]);
        // By −place, which is one more than its complement.
        let cut = self.cut(significand, precision(ty) + 2);
        let once = self.shift_sticky(&cut, &[tiny]);
        let more: Word = place.iter().map(|l| self.and(tiny, !*l)).collect();
        let shifted = self.shift_sticky(&once, &more);
        (place.iter().map(|l| self.and(!tiny, *l)).collect(), shifted)
    }

    /// The number rounded to nearest even, infinity if it is too large or `infinite` says so.
    pub(super) fn rounded(&mut self, ty: FloatTy, sign: Lit, infinite: Lit, (place, significand): (&[Lit], &[Lit])) -> Word {
        let p = precision(ty);
        let cut = self.cut(significand, p + 2);
        let (rest, half, kept) = (cut[0], cut[1], &cut[2..]);
        let inexact_or_odd = self.or(rest, kept[0]);
        let up = self.and(half, inexact_or_odd);
        // Without its leading digit the number is subnormal or zero.
        let place: Vec<Lit> = place.iter().map(|l| self.and(kept[p - 1], *l)).collect();
        let wide = (p + place.len()) as u32;
        let base: Vec<Lit> = std::iter::repeat_n(Lit::FALSE, p - 1).chain(place).collect();
        let (sum, _) = self.adder(&resize(&base, false, wide), &resize(kept, false, wide), up);
        let (fraction, field) = sum.split_at(p - 1);
        let (exponent, beyond) = field.split_at(ty.exponent_bits() as usize);
        let most = self.all(exponent.iter().copied());
        let infinite = self.any(beyond.iter().copied().chain([most, infinite]));
        let mut out: Vec<Lit> = fraction.iter().map(|l| self.and(!infinite, *l)).collect();
        out.extend(exponent.iter().map(|l| self.or(infinite, *l)));
        out.push(sign);
        out.into()
    }

    /// A NaN that an operation yields: any quiet one. Processors and compilers differ in which.
    pub(super) fn some_nan(&mut self, ty: FloatTy) -> Word {
        let payload = self.inputs(ty.precision() - 2);
        let ones = std::iter::repeat_n(Lit::TRUE, ty.exponent_bits() as usize + 1);
        let sign = self.input();
        payload.iter().copied().chain(ones).chain([sign]).collect()
    }

    /// What an operation returns: some NaN if `invalid` or an operand is NaN, otherwise `result`.
    pub(super) fn unless_nan(&mut self, operands: &[&Fields], invalid: Lit, result: &[Lit]) -> Word {
        let Some(first) = operands.first() else { return result.into() };
        let is_nan = self.any(operands.iter().map(|a| a.nan).chain([invalid]));
        let nan = self.some_nan(first.ty);
        self.choose(is_nan, &nan, result)
    }

    /// `a + k`.
    pub(super) fn offset(&mut self, a: &[Lit], k: i64) -> Word {
        let k = self.numeral(&IBig::from(k), a.len() as u32);
        self.plus(a, &k)
    }
}

/// The powers of two below a length, the largest first.
fn steps(len: usize) -> impl Iterator<Item = usize> {
    (0..usize::BITS).rev().map(|k| 1usize << k).filter(move |n| *n < len)
}
