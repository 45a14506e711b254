//! Conversions: to and from integers, other formats, and patterns.

use super::{at_rank, FRange};
use crate::eval;
use crate::float::{Float, FloatTy, RoundMode};
use crate::range::Range;
use crate::ty::IntTy;
use dashu_int::IBig;

impl FRange {
    /// Conversions of integers.
    pub fn from_int(ty: FloatTy, r: Range) -> FRange {
        let all = FRange::numbers(ty);
        let bound = |v: Option<i128>, open: i128| v.map_or(at_rank(ty, open), |v| Float::from_int(ty, &IBig::from(v)));
        FRange::between(bound(r.lo, all.lo), bound(r.hi, all.hi))
    }

    /// Truncations to an integer type, where what does not fit gives the type's least value.
    pub fn to_int(self, ty: IntTy) -> Range {
        let least = Range::of_value(&ty.min());
        let (Some(lo), Some(hi)) = (self.lo(), self.hi()) else { return least };
        if let Some(x) = self.point() {
            return Range::of_value(&eval::fto_int(ty, x));
        }
        let whole = |f: Float| f.to_int(RoundMode::TowardZero).filter(|v| ty.contains(v));
        let inside = match (whole(lo), whole(hi)) {
            (Some(l), Some(h)) => Range { lo: Range::of_value(&l).lo, hi: Range::of_value(&h).hi },
            _ => return Range::of_type(ty),
        };
        if self.nan {
            inside.join(least)
        } else {
            inside
        }
    }

    /// Conversions to another format.
    pub fn cast(self, ty: FloatTy) -> FRange {
        let numbers = match (self.lo(), self.hi()) {
            (Some(lo), Some(hi)) => FRange::between(lo.convert(ty), hi.convert(ty)),
            _ => FRange::empty(ty),
        };
        FRange { nan: self.nan, ..numbers }
    }

    /// The bit patterns, as unsigned integers.
    pub fn bits(self) -> Range {
        let all = Range::of_type(IntTy::unsigned(self.ty.bits() as u16));
        if self.nan || self.ty.has_explicit_integer_bit() || self.ty == FloatTy::F128 {
            return all;
        }
        let pattern = |rank: i128| at_rank(self.ty, rank).bits as i128;
        let parts = self.signs().map(|s| s.has_numbers().then(|| (pattern(s.lo), pattern(s.hi))));
        match parts {
            // Patterns of negative numbers grow with the magnitude.
            [Some((lo, hi)), None] => Range::new(hi, lo),
            [None, Some((lo, hi))] => Range::new(lo, hi),
            [Some((lo, _)), Some((from, _))] => Range::new(from, lo),
            [None, None] => all,
        }
    }

    /// The data whose patterns are the low bits of these integers.
    pub fn from_bits(ty: FloatTy, r: Range) -> FRange {
        let (Some(lo), Some(hi)) = (r.lo, r.hi) else { return FRange::all(ty) };
        if lo == hi {
            return FRange::of(Float { ty, bits: eval::low_bits(&IBig::from(lo), ty.bits() as u16) });
        }
        if ty.has_explicit_integer_bit() || ty == FloatTy::F128 || lo < 0 || hi >> ty.bits() != 0 {
            return FRange::all(ty);
        }
        let sign = 1i128 << (ty.bits() - 1);
        let inf = Float::inf(ty).bits as i128;
        let mut out = FRange::empty(ty);
        // Patterns without the sign bit, then those with it; above infinity they are NaNs.
        for (base, negative) in [(0, false), (sign, true)] {
            let (l, h) = (lo.max(base) - base, hi.min(base + sign - 1) - base);
            if l > h {
                continue;
            }
            out.nan |= h > inf;
            if l <= inf {
                let (l, h) = (l, h.min(inf));
                let part = if negative { (-h - 1, -l - 1) } else { (l, h) };
                out = out.join(FRange { ty, lo: part.0, hi: part.1, nan: false });
            }
        }
        out
    }
}
