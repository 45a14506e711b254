//! Integer ranges with infinities: what is known of a term's value from its shape alone.
//!
//! Every integer term carries one, computed when it is built, so that idle wraps and decided comparisons vanish at once.
//! Bounds beyond `i128` count as infinite, which is sound.

use crate::ty::IntTy;
use dashu_int::IBig;

/// A set of integers `[lo, hi]`; `None` is an infinite bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Least value, if bounded below.
    pub lo: Option<i128>,
    /// Greatest value, if bounded above.
    pub hi: Option<i128>,
}

fn both(a: Option<i128>, b: Option<i128>, f: impl Fn(i128, i128) -> Option<i128>) -> Option<i128> {
    a.zip(b).and_then(|(a, b)| f(a, b))
}

impl Range {
    /// All integers.
    pub const ALL: Range = Range { lo: None, hi: None };

    /// `[lo, hi]`.
    pub fn new(lo: i128, hi: i128) -> Range {
        Range { lo: Some(lo), hi: Some(hi) }
    }

    /// The values of a machine type.
    pub fn of_type(ty: IntTy) -> Range {
        Range { lo: i128::try_from(ty.min()).ok(), hi: i128::try_from(ty.max()).ok() }
    }

    /// The singleton of a constant.
    pub fn of_value(v: &IBig) -> Range {
        match i128::try_from(v) {
            Ok(v) => Range::new(v, v),
            Err(_) if *v > IBig::ZERO => Range { lo: Some(i128::MAX), hi: None },
            Err(_) => Range { lo: None, hi: Some(i128::MIN) },
        }
    }

    /// The bounds that both give; may be empty.
    pub fn intersection(self, other: Range) -> Range {
        let lo = match (self.lo, other.lo) {
            (Some(x), Some(y)) => Some(x.max(y)),
            (x, y) => x.or(y),
        };
        let hi = match (self.hi, other.hi) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (x, y) => x.or(y),
        };
        Range { lo, hi }
    }

    /// Whether every value is one of `ty`.
    pub fn fits(self, ty: IntTy) -> bool {
        let t = Range::of_type(ty);
        let above = if ty.signed { both(self.lo, t.lo, |a, b| (a >= b).then_some(0)).is_some() } else { self.lo.is_some_and(|l| l >= 0) };
        let below = match (self.hi, t.hi) {
            (Some(h), Some(m)) => h <= m,
            (Some(_), None) => true,
            (None, _) => false,
        };
        above && below
    }

    /// The values wrapped to a type; exact where all of them are wrapped by the same multiple of its modulus.
    pub fn wrapped(self, ty: IntTy) -> Range {
        let ends = self.lo.zip(self.hi).filter(|(l, h)| h.checked_sub(*l).is_some_and(|width| IBig::from(width) < ty.modulus()));
        match ends.and_then(|(l, h)| ty.wrap_i128(l).zip(ty.wrap_i128(h))) {
            _ if self.fits(ty) => self,
            Some((l, h)) if l <= h => Range::new(l, h),
            _ => Range::of_type(ty),
        }
    }

    /// Least range that holds both.
    pub fn join(self, o: Range) -> Range {
        Range { lo: both(self.lo, o.lo, |a, b| Some(a.min(b))), hi: both(self.hi, o.hi, |a, b| Some(a.max(b))) }
    }

    /// Sums.
    #[must_use]
    pub fn plus(self, o: Range) -> Range {
        Range { lo: both(self.lo, o.lo, i128::checked_add), hi: both(self.hi, o.hi, i128::checked_add) }
    }

    /// Multiples by a constant.
    pub fn scale(self, k: &IBig) -> Range {
        let Ok(k) = i128::try_from(k) else { return Range::ALL };
        let at = |b: Option<i128>| b.and_then(|b| b.checked_mul(k));
        if k >= 0 {
            Range { lo: at(self.lo), hi: at(self.hi) }
        } else {
            Range { lo: at(self.hi), hi: at(self.lo) }
        }
    }

    /// Products.
    pub fn times(self, o: Range) -> Range {
        let (Some(a), Some(b), Some(c), Some(d)) = (self.lo, self.hi, o.lo, o.hi) else {
            let nonneg = self.lo.is_some_and(|l| l >= 0) && o.lo.is_some_and(|l| l >= 0);
            return Range { lo: nonneg.then_some(0), hi: None };
        };
        let products = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
        match products.into_iter().collect::<Option<Vec<_>>>() {
            Some(p) => Range { lo: p.iter().min().copied(), hi: p.iter().max().copied() },
            None => Range::ALL,
        }
    }

    /// C quotients: no larger in absolute value than the dividend, and of its sign for a positive divisor.
    pub fn quotients(self, o: Range) -> Range {
        if let (Some(l), Some(h), Some(d), Some(e)) = (self.lo, self.hi, o.lo, o.hi) {
            if d > 0 {
                let q = [l / d, l / e, h / d, h / e];
                return Range { lo: q.iter().min().copied(), hi: q.iter().max().copied() };
            }
        }
        let m = both(self.lo, self.hi, |l, h| l.checked_neg().map(|n| n.max(h).max(0)));
        let nonneg = self.lo.is_some_and(|l| l >= 0) && o.lo.is_some_and(|l| l >= 0);
        Range { lo: if nonneg { Some(0) } else { m.and_then(i128::checked_neg) }, hi: m }
    }

    /// C remainders: of the dividend's sign, smaller in absolute value than the divisor, no larger than the dividend; exact where all dividends have one
    /// quotient.
    pub fn remainders(self, o: Range) -> Range {
        if let (Some(l), Some(h), Some(d)) = (self.lo, self.hi, both(o.lo, o.hi, |l, h| if l == h { l.checked_abs() } else { None })) {
            if d > 0 && l <= h && l / d == h / d {
                return Range::new(l % d, h % d);
            }
        }
        let divisor = both(o.lo, o.hi, |l, h| l.checked_neg().map(|n| n.max(h) - 1)).filter(|&m| m >= 0 && !o.contains(0));
        let lo = match self.lo {
            Some(l) if l >= 0 => Some(0),
            l => match (l, divisor) {
                (Some(l), Some(d)) => Some(l.max(-d)),
                (l, None) => l,
                (None, Some(d)) => Some(-d),
            },
        };
        let hi = match self.hi {
            Some(h) if h <= 0 => Some(0),
            h => match (h, divisor) {
                (Some(h), Some(d)) => Some(h.min(d)),
                (h, None) => h,
                (None, Some(d)) => Some(d),
            },
        };
        Range { lo, hi }
    }

    /// Membership.
    pub fn contains(self, v: i128) -> bool {
        self.lo.is_none_or(|l| l <= v) && self.hi.is_none_or(|h| v <= h)
    }

    /// The least number of bits of a signed machine type that holds every value; `None` when unbounded.
    pub fn signed_bits(self) -> Option<u16> {
        let need = |v: i128| 129 - (if v < 0 { !v } else { v }).leading_zeros() as u16;
        Some(need(self.lo?).max(need(self.hi?)))
    }

    /// Results of `&`, `|`, `^` on values of these ranges: bounded by the next power of two.
    pub fn bitwise(self, o: Range) -> Range {
        let Some(bits) = self.signed_bits().zip(o.signed_bits()).map(|(a, b)| a.max(b)) else {
            return Range::ALL;
        };
        let all = Range::of_type(IntTy::signed(bits.min(128)));
        let nonneg = self.lo.is_some_and(|l| l >= 0) && o.lo.is_some_and(|l| l >= 0);
        if nonneg {
            Range { lo: Some(0), ..all }
        } else {
            all
        }
    }
}

/// The middle of two numbers, not above the greater one.
pub fn middle(a: i128, b: i128) -> i128 {
    (a & b) + ((a ^ b) >> 1)
}

/// `[lo, hi]` without beginnings and ends that are not possible; `None` if that is all of it. Where `possible` says no, no
/// value of the interval is wanted.
pub fn shaved(mut lo: i128, mut hi: i128, possible: &mut dyn FnMut(i128, i128) -> bool) -> Option<(i128, i128)> {
    if !possible(lo, lo) {
        // Everything up to `gone` is impossible, something up to `limit` may be possible.
        let (mut gone, mut limit) = (lo, hi);
        if !possible(lo, hi) {
            return None;
        }
        while gone + 1 < limit {
            let m = middle(gone, limit);
            if possible(lo, m) {
                limit = m;
            } else {
                gone = m;
            }
        }
        lo = limit;
    }
    if hi > lo && !possible(hi, hi) {
        let (mut gone, mut limit) = (hi, lo);
        while limit + 1 < gone {
            let m = middle(limit, gone);
            if possible(m, hi) {
                limit = m;
            } else {
                gone = m;
            }
        }
        hi = limit;
    }
    Some((lo, hi))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_ranges_hold_all_values_and_the_best_within_a_period() {
        for ty in [IntTy::signed(8), IntTy::U8] {
            for l in (-700i128..700).step_by(7) {
                for h in [l, l + 1, l + 20, l + 127, l + 254, l + 255, l + 256, l + 1000] {
                    let wrapped = Range::new(l, h).wrapped(ty);
                    let values = || (l..=h).filter_map(|v| ty.wrap_i128(v));
                    assert!(values().all(|v| wrapped.contains(v)), "{l}..{h}");
                    if l == h {
                        assert_eq!(wrapped, Range::new(values().min().unwrap(), values().max().unwrap()));
                    }
                }
            }
        }
        assert_eq!(Range::new(200, 210).wrapped(IntTy::signed(8)), Range::new(-56, -46));
        assert_eq!(Range::ALL.wrapped(IntTy::U8), Range::of_type(IntTy::U8));
    }

    #[test]
    fn quotients_and_remainders_hold_all_values_and_the_best_where_they_can() {
        for (l, h) in (-9..=9).flat_map(|l| (l..=9).map(move |h| (l, h))) {
            for (d, e) in (-4..=4).flat_map(|d| (d..=4).map(move |e| (d, e))) {
                let (quotients, remainders) = (Range::new(l, h).quotients(Range::new(d, e)), Range::new(l, h).remainders(Range::new(d, e)));
                let pairs = || (l..=h).flat_map(|x| (d..=e).filter(|y| *y != 0).map(move |y| (x, y)));
                assert!(pairs().all(|(x, y)| quotients.contains(x / y) && remainders.contains(x % y)), "{l}..{h} by {d}..{e}");
                if d == e && d != 0 && l / d == h / d {
                    assert_eq!(remainders.lo.zip(remainders.hi), pairs().map(|(x, y)| x % y).min().zip(pairs().map(|(x, y)| x % y).max()));
                }
            }
        }
    }
}
