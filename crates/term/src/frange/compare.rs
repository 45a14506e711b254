//! Comparisons and classes: their truth where the ranges decide it, and the ranges where the truth is known.

use super::{first, last, rank, value_of, FRange};
use crate::float::Float;
use crate::node::{FCmpOp, FTest};

impl FRange {
    /// The truth of a comparison.
    pub fn compare(op: FCmpOp, a: FRange, b: FRange) -> Option<bool> {
        let numbers = a.has_numbers() && b.has_numbers();
        let nan = a.nan || b.nan;
        if !numbers {
            return Some(false);
        }
        let (al, ah, bl, bh) = (value_of(a.lo), value_of(a.hi), value_of(b.lo), value_of(b.hi));
        let (always, never) = match op {
            FCmpOp::Lt => (ah < bl, al >= bh),
            FCmpOp::Le => (ah <= bl, al > bh),
            FCmpOp::Eq => (al == ah && bl == bh && al == bl, ah < bl || bh < al),
        };
        match () {
            () if never => Some(false),
            () if always && !nan => Some(true),
            () => None,
        }
    }

    /// The operands for which a comparison has this truth value: both may shrink, never beyond the pairs that have it.
    pub fn refine(op: FCmpOp, a: FRange, b: FRange, truth: bool) -> (FRange, FRange) {
        if truth {
            let (x, y) = (a.ordered(), b.ordered());
            return match op {
                FCmpOp::Lt => (x.below(y, 1), y.above(x, 1)),
                FCmpOp::Le => (x.below(y, 0), y.above(x, 0)),
                FCmpOp::Eq => (x.below(y, 0).above(y, 0), y.below(x, 0).above(x, 0)),
            };
        }
        // Where one side is a number, the other is NaN or compares the other way round.
        match op {
            FCmpOp::Lt => (a.other_way(b, |x| x.above(b, 0)), b.other_way(a, |y| y.below(a, 0))),
            FCmpOp::Le => (a.other_way(b, |x| x.above(b, 1)), b.other_way(a, |y| y.below(a, 1))),
            FCmpOp::Eq => (a.other_way(b, |x| x.unlike(b)), b.other_way(a, |y| y.unlike(a))),
        }
    }

    fn other_way(self, other: FRange, narrow: impl Fn(FRange) -> FRange) -> FRange {
        if other.nan {
            self
        } else {
            narrow(self)
        }
    }

    /// The numbers that are at least `by` values below the greatest of `o`, with NaN if it was there.
    fn below(self, o: FRange, by: i128) -> FRange {
        if o.has_numbers() {
            self.within(i128::MIN, last(value_of(o.hi) - by))
        } else {
            self.within(0, -1)
        }
    }

    fn above(self, o: FRange, by: i128) -> FRange {
        if o.has_numbers() {
            self.within(first(value_of(o.lo) + by), i128::MAX)
        } else {
            self.within(0, -1)
        }
    }

    /// Without a bound that has the only value of `o`.
    fn unlike(self, o: FRange) -> FRange {
        if !o.has_numbers() || value_of(o.lo) != value_of(o.hi) {
            return self;
        }
        let value = value_of(o.lo);
        let mut out = self;
        if out.has_numbers() && value_of(out.lo) == value {
            out = out.within(first(value + 1), i128::MAX);
        }
        if out.has_numbers() && value_of(out.hi) == value {
            out = out.within(i128::MIN, last(value - 1));
        }
        out
    }

    /// The truth of a class test.
    pub fn test(self, test: FTest) -> Option<bool> {
        if self.is_empty() {
            return None;
        }
        if test == FTest::Nan {
            return match (self.nan, self.has_numbers()) {
                (true, true) => None,
                (nan, _) => Some(nan),
            };
        }
        // Patterns of x87 that only the pattern classifies.
        if self.ty.has_explicit_integer_bit() && matches!(test, FTest::Normal | FTest::Subnormal) {
            return None;
        }
        let numbers = self.test_numbers(test);
        match (test, self.nan, self.has_numbers()) {
            (_, false, _) => numbers,
            (FTest::SignBit, true, _) => None,
            (_, true, false) => Some(false),
            (_, true, true) => numbers.filter(|truth| !truth),
        }
    }

    /// The truth of a class test on the numbers.
    fn test_numbers(self, test: FTest) -> Option<bool> {
        // A class is what lies between two magnitudes.
        let class = |lo: Float, hi: Float| {
            let (lo, hi) = (rank(lo), rank(hi));
            let [minus, plus] = self.signs();
            let mirrored = if minus.has_numbers() { Some((-minus.hi - 1, -minus.lo - 1)) } else { None };
            let plain = plus.has_numbers().then_some((plus.lo, plus.hi));
            let parts = [mirrored, plain];
            let mut known = parts.iter().flatten().map(|(a, b)| match () {
                () if *a >= lo && *b <= hi => Some(true),
                () if *b < lo || *a > hi => Some(false),
                () => None,
            });
            let one = known.next()?;
            if known.all(|other| other == one) {
                one
            } else {
                None
            }
        };
        let ty = self.ty;
        match test {
            FTest::Nan => Some(false),
            FTest::Infinite => class(Float::inf(ty), Float::inf(ty)),
            FTest::Normal => class(Float::min_positive(ty), Float::max_finite(ty)),
            FTest::Subnormal => class(Float::min_subnormal(ty), super::at_rank(ty, rank(Float::min_positive(ty)) - 1)),
            FTest::Zero => class(Float::zero(ty), Float::zero(ty)),
            FTest::SignBit => match self.signs() {
                [minus, plus] if minus.has_numbers() && plus.has_numbers() => None,
                [minus, _] => Some(minus.has_numbers()),
            },
        }
    }

    /// The data for which a class test has this truth value; may keep too many.
    #[must_use]
    pub fn refine_test(self, test: FTest, truth: bool) -> FRange {
        let ty = self.ty;
        let top = rank(Float::inf(ty));
        match (test, truth) {
            (FTest::Nan, true) => self.within(0, -1),
            (FTest::Nan, false) => self.ordered(),
            (FTest::Infinite, false) => self.within(-top, top - 1),
            (FTest::Zero, true) => self.ordered().within(-1, 0),
            (FTest::Normal | FTest::Subnormal, true) => self.ordered().within(-top, top - 1),
            (FTest::SignBit, true) => self.within(i128::MIN, -1),
            (FTest::SignBit, false) => self.within(0, i128::MAX),
            (FTest::Infinite, true) => {
                let ends = [self.ordered().within(i128::MIN, -top - 1), self.ordered().within(top, i128::MAX)];
                ends[0].join(ends[1])
            }
            _ => self,
        }
    }
}
