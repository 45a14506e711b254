//! The arithmetic operators.

use super::{at_rank, rank, FRange};
use crate::eval;
use crate::float::Float;
use crate::node::{FBinOp, FUnOp};

/// The least range with these data, NaN left out.
fn hull(ty: crate::float::FloatTy, data: impl IntoIterator<Item = Float>) -> FRange {
    data.into_iter().filter(|f| !f.is_nan()).fold(FRange::empty(ty), |all, f| all.join(FRange::of(f)))
}

impl FRange {
    /// The results of a binary operator.
    pub fn binary(op: FBinOp, a: FRange, b: FRange) -> FRange {
        if let (Some(x), Some(y)) = (a.point(), b.point()) {
            return FRange::of(eval::fbin(op, x, y));
        }
        let quiet = a.nan || b.nan;
        match op {
            FBinOp::Add => a.sum(b).or_nan(quiet),
            FBinOp::Sub => a.sum(FRange::unary(FUnOp::Neg, b)).or_nan(quiet),
            FBinOp::Mul => {
                let invalid = (a.has_zero() && b.has_infinity()) || (a.has_infinity() && b.has_zero());
                a.by_signs(b, op).or_nan(quiet || invalid)
            }
            FBinOp::Div => {
                let invalid = (a.has_zero() && b.has_zero()) || (a.has_infinity() && b.has_infinity());
                a.by_signs(b, op).or_nan(quiet || invalid)
            }
            FBinOp::Rem => a.remainders(b).or_nan(quiet || a.has_infinity() || b.has_zero()),
            FBinOp::Min | FBinOp::Max => a.selections(b, op == FBinOp::Min),
            FBinOp::CopySign => {
                let m = FRange::unary(FUnOp::Abs, a);
                let negative = FRange::unary(FUnOp::Neg, m);
                match b.signs() {
                    _ if b.nan => m.join(negative),
                    [minus, _] if !minus.has_numbers() => m,
                    [_, plus] if !plus.has_numbers() => negative,
                    _ => m.join(negative),
                }
            }
        }
    }

    /// The results of a unary operator.
    pub fn unary(op: FUnOp, a: FRange) -> FRange {
        match op {
            FUnOp::Neg => FRange { lo: -a.hi - 1, hi: -a.lo - 1, ..a }.normal(),
            FUnOp::Abs => {
                let [minus, plus] = a.signs();
                FRange::unary(FUnOp::Neg, minus).join(plus).or_nan(a.nan)
            }
            FUnOp::Sqrt => {
                // The root of -0 is -0.
                let domain = a.ordered().within(-1, i128::MAX);
                domain.monotone(|x| x.sqrt()).or_nan(a.nan || (a.has_numbers() && a.lo < -1))
            }
            FUnOp::Floor | FUnOp::Ceil | FUnOp::Trunc | FUnOp::Round | FUnOp::Rint => {
                a.ordered().monotone(|x| eval::fun(op, x)).or_nan(a.nan)
            }
        }
    }

    /// The results of a function that grows with its operand and has the operand's format.
    fn monotone(self, f: impl Fn(Float) -> Float) -> FRange {
        match (self.lo(), self.hi()) {
            (Some(lo), Some(hi)) => hull(self.ty, [f(lo), f(hi)]),
            _ => FRange::empty(self.ty),
        }
    }

    /// Sums of numbers: they grow with both operands, but for infinities that cancel.
    fn sum(self, o: FRange) -> FRange {
        let (Some(a), Some(b), Some(c), Some(d)) = (self.lo(), self.hi(), o.lo(), o.hi()) else { return FRange::empty(self.ty) };
        let invalid = self.has_infinity() && o.has_infinity() && {
            let all = FRange::numbers(self.ty);
            (self.lo == all.lo && o.hi == all.hi) || (self.hi == all.hi && o.lo == all.lo)
        };
        FRange::between(a.add(c), b.add(d)).or_nan(invalid)
    }

    /// Products or quotients of numbers: monotone in each operand where neither changes its sign. A corner that is NaN says nothing of the numbers
    /// around it, which the other corners bound: along its two edges the results are constant.
    fn by_signs(self, o: FRange, op: FBinOp) -> FRange {
        let mut out = FRange::empty(self.ty);
        for a in self.signs() {
            for b in o.signs() {
                if let (Some(a0), Some(a1), Some(b0), Some(b1)) = (a.lo(), a.hi(), b.lo(), b.hi()) {
                    let corners = [(a0, b0), (a0, b1), (a1, b0), (a1, b1)];
                    out = out.join(hull(self.ty, corners.map(|(x, y)| eval::fbin(op, x, y))));
                }
            }
        }
        out
    }

    /// Remainders `fmod(a, b)`: of the sign of `a`, no larger than it, smaller than `b`; and `a` itself where that is smaller than `b`.
    fn remainders(self, o: FRange) -> FRange {
        let divisors = FRange::unary(FUnOp::Abs, o.ordered());
        if !self.has_numbers() || !divisors.has_numbers() {
            return FRange::empty(self.ty);
        }
        let small = FRange::numbers(self.ty).within(-divisors.lo, divisors.lo - 1);
        if self.ordered().subset(small) {
            return self.ordered();
        }
        let most = at_rank(self.ty, divisors.hi);
        let [minus, plus] = self.signs();
        let mut out = FRange::empty(self.ty);
        if let Some(hi) = plus.hi() {
            out = out.join(FRange { ty: self.ty, lo: 0, hi: rank(hi).min(rank(most)), nan: false });
        }
        if let Some(lo) = minus.lo() {
            out = out.join(FRange { ty: self.ty, lo: rank(lo).max(rank(most.neg())), hi: -1, nan: false });
        }
        out
    }

    /// `fmin` and `fmax`: a NaN gives way to a number, and which of two zeros is chosen is left open.
    fn selections(self, o: FRange, least: bool) -> FRange {
        let mut out = FRange::empty(self.ty);
        if self.has_numbers() && o.has_numbers() {
            let pick = |x: i128, y: i128| if least { x.min(y) } else { x.max(y) };
            let (mut lo, mut hi) = (pick(self.lo, o.lo), pick(self.hi, o.hi));
            if lo == 0 {
                lo = -1;
            }
            if hi == -1 {
                hi = 0;
            }
            out = FRange { ty: self.ty, lo, hi, nan: false };
        }
        if self.nan {
            out = out.join(o.ordered());
        }
        if o.nan {
            out = out.join(self.ordered());
        }
        // A signaling NaN does not give way.
        out.or_nan(self.nan || o.nan)
    }
}
