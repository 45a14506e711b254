//! Intervals of floats: which numbers a floating-point value can be, and whether it can be NaN.
//!
//! **Picture.** The data of a format that are numbers stand in one line, `-∞ … -0 +0 … +∞`, and each has its place on it, its *rank*. An
//! [`FRange`] is a piece of that line, by ranks, and perhaps NaN, of any pattern. Zeros have ranks of their own, so signs of zero are kept.
//!
//! **Contract.** The operators enclose: whatever values the operands have among theirs, the result of [`crate::eval`]'s operator is in the result.
//! Nothing is rounded outward, because nothing needs to be: rounding to nearest even is monotone, so that bounds of the rounded results are
//! rounded results of bounds. The operations that are monotone piece by piece (products, quotients, absolute values) are taken piece by piece.
//!
//! **Source.** IEEE 754-2008, clauses 4.3, 5.3 to 5.8, 6.

mod arith;
mod compare;
mod convert;
#[cfg(test)]
mod tests;

use crate::float::{Float, FloatTy};
use crate::range::shaved;

/// A set of data of one format: the numbers from `lo` to `hi`, and NaN or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FRange {
    /// The format.
    pub ty: FloatTy,
    /// The rank of the least number; no number is in the set if it exceeds `hi`.
    lo: i128,
    /// The rank of the greatest number.
    hi: i128,
    /// Whether every NaN is in the set, or none.
    pub nan: bool,
}

/// The place of a number on the line of its format.
pub fn rank(f: Float) -> i128 {
    let mut magnitude = f.abs().bits;
    if f.ty.has_explicit_integer_bit() {
        // The integer bit says nothing that the exponent does not, but for pseudo-denormals, which have the value of exponent 1.
        let fraction = magnitude & ((1 << 63) - 1);
        let pseudo = magnitude >> 63 == 1;
        let exponent = if pseudo { 1 } else { magnitude >> 64 };
        magnitude = exponent << 63 | fraction;
    }
    let magnitude = magnitude as i128;
    if f.sign_bit() {
        -magnitude - 1
    } else {
        magnitude
    }
}

/// The number at a place.
pub fn at_rank(ty: FloatTy, rank: i128) -> Float {
    let mut magnitude = (if rank < 0 { -(rank + 1) } else { rank }) as u128;
    if ty.has_explicit_integer_bit() {
        let (exponent, fraction) = (magnitude >> 63, magnitude & ((1 << 63) - 1));
        magnitude = exponent << 64 | u128::from(exponent != 0) << 63 | fraction;
    }
    let f = Float::from_bits(ty, magnitude);
    if rank < 0 {
        f.neg()
    } else {
        f
    }
}

/// The place of a number among the values, where both zeros are one.
fn value_of(rank: i128) -> i128 {
    rank + i128::from(rank < 0)
}

/// The first rank of a value.
fn first(value: i128) -> i128 {
    value - i128::from(value <= 0)
}

/// The last rank of a value.
fn last(value: i128) -> i128 {
    value - i128::from(value < 0)
}

impl FRange {
    /// No datum at all.
    pub fn empty(ty: FloatTy) -> FRange {
        FRange { ty, lo: 0, hi: -1, nan: false }
    }

    /// Every datum.
    pub fn all(ty: FloatTy) -> FRange {
        FRange { nan: true, ..FRange::numbers(ty) }
    }

    /// All numbers, infinities among them.
    pub fn numbers(ty: FloatTy) -> FRange {
        let top = rank(Float::inf(ty));
        FRange { ty, lo: -top - 1, hi: top, nan: false }
    }

    /// NaN alone.
    pub fn only_nan(ty: FloatTy) -> FRange {
        FRange { nan: true, ..FRange::empty(ty) }
    }

    /// The datum alone, up to the pattern of a NaN.
    pub fn of(f: Float) -> FRange {
        if f.is_nan() {
            FRange::only_nan(f.ty)
        } else {
            FRange { ty: f.ty, lo: rank(f), hi: rank(f), nan: false }
        }
    }

    /// The numbers from one to another; a bound that is NaN gives no bound.
    pub fn between(lo: Float, hi: Float) -> FRange {
        let all = FRange::numbers(lo.ty);
        let bound = |f: Float, open: i128| if f.is_nan() { open } else { rank(f) };
        FRange { lo: bound(lo, all.lo), hi: bound(hi, all.hi), ..all }
    }

    /// The ranks of the bounds, least first.
    pub fn ranks(self) -> (i128, i128) {
        (self.lo, self.hi)
    }

    /// The part with ranks from `lo` to `hi`, with NaN if it was there.
    #[must_use]
    pub fn within(self, lo: i128, hi: i128) -> FRange {
        FRange { lo: self.lo.max(lo), hi: self.hi.min(hi), ..self }.normal()
    }

    /// With the numbers from rank `lo` to rank `hi`, too.
    #[must_use]
    pub fn widened_to(self, lo: i128, hi: i128) -> FRange {
        self.join(FRange { lo, hi, ..self }.normal())
    }

    /// One representation for sets without numbers.
    fn normal(self) -> FRange {
        if self.lo > self.hi {
            FRange { nan: self.nan, ..FRange::empty(self.ty) }
        } else {
            self
        }
    }

    /// Whether there is a number in it.
    pub fn has_numbers(self) -> bool {
        self.lo <= self.hi
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        !self.has_numbers() && !self.nan
    }

    /// Whether nothing is excluded.
    pub fn is_all(self) -> bool {
        self == FRange::all(self.ty)
    }

    /// The least number.
    pub fn lo(self) -> Option<Float> {
        self.has_numbers().then(|| at_rank(self.ty, self.lo))
    }

    /// The greatest number.
    pub fn hi(self) -> Option<Float> {
        self.has_numbers().then(|| at_rank(self.ty, self.hi))
    }

    /// The only datum, if it is a number.
    pub fn point(self) -> Option<Float> {
        (self.lo == self.hi && !self.nan).then(|| at_rank(self.ty, self.lo))
    }

    /// Membership.
    pub fn contains(self, f: Float) -> bool {
        if f.is_nan() {
            self.nan
        } else {
            self.lo <= rank(f) && rank(f) <= self.hi
        }
    }

    /// Without NaN.
    #[must_use]
    pub fn ordered(self) -> FRange {
        FRange { nan: false, ..self }
    }

    /// With NaN if `nan`, too.
    #[must_use]
    fn or_nan(self, nan: bool) -> FRange {
        FRange { nan: self.nan || nan, ..self }
    }

    /// The least range that holds both.
    #[must_use]
    pub fn join(self, o: FRange) -> FRange {
        let nan = self.nan || o.nan;
        match (self.has_numbers(), o.has_numbers()) {
            (true, true) => FRange { ty: self.ty, lo: self.lo.min(o.lo), hi: self.hi.max(o.hi), nan },
            (false, _) => FRange { nan, ..o },
            _ => FRange { nan, ..self },
        }
    }

    /// What both hold.
    #[must_use]
    pub fn meet(self, o: FRange) -> FRange {
        FRange { ty: self.ty, lo: self.lo.max(o.lo), hi: self.hi.min(o.hi), nan: self.nan && o.nan }.normal()
    }

    /// Without beginnings and ends, and NaN, of which `possible` says that they are not wanted; see [`crate::range::shaved`].
    #[must_use]
    pub fn shaved(self, possible: &mut dyn FnMut(FRange) -> bool) -> FRange {
        let numbers = self.ordered();
        let bounds = if self.has_numbers() { shaved(self.lo, self.hi, &mut |l, h| possible(numbers.within(l, h))) } else { None };
        let kept = bounds.map_or(FRange::empty(self.ty), |(l, h)| numbers.within(l, h));
        kept.or_nan(self.nan && possible(FRange::only_nan(self.ty)))
    }

    /// Whether everything in it is in the other.
    pub fn subset(self, o: FRange) -> bool {
        self.join(o) == o
    }

    /// Whether a zero, of either sign, is in it.
    fn has_zero(self) -> bool {
        self.lo <= 0 && self.hi >= -1
    }

    /// Whether an infinity is in it.
    fn has_infinity(self) -> bool {
        let all = FRange::numbers(self.ty);
        self.has_numbers() && (self.lo == all.lo || self.hi == all.hi)
    }

    /// The parts with and without sign bit, NaN left out; at most one of them is empty unless the whole is.
    fn signs(self) -> [FRange; 2] {
        [self.ordered().within(i128::MIN, -1), self.ordered().within(0, i128::MAX)]
    }
}
