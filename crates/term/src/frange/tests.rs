//! The contract on random ranges and points: results of points are in the results of ranges.

use super::{at_rank, rank, FRange};
use crate::eval;
use crate::float::{Float, FloatTy};
use crate::node::{FBinOp, FCmpOp, FTest, FUnOp};
use crate::range::Range;
use crate::ty::IntTy;
use dashu_int::IBig;

const BINARY: [FBinOp; 8] = [FBinOp::Add, FBinOp::Sub, FBinOp::Mul, FBinOp::Div, FBinOp::Rem, FBinOp::Min, FBinOp::Max, FBinOp::CopySign];
const UNARY: [FUnOp; 8] = [FUnOp::Neg, FUnOp::Abs, FUnOp::Sqrt, FUnOp::Floor, FUnOp::Ceil, FUnOp::Trunc, FUnOp::Round, FUnOp::Rint];
const TESTS: [FTest; 6] = [FTest::Nan, FTest::Infinite, FTest::Normal, FTest::Subnormal, FTest::Zero, FTest::SignBit];
const COMPARE: [FCmpOp; 3] = [FCmpOp::Eq, FCmpOp::Lt, FCmpOp::Le];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 20
    }

    fn below(&mut self, n: u128) -> u128 {
        let wide = u128::from(self.next()) << 88 | u128::from(self.next()) << 44 | u128::from(self.next());
        wide % n
    }

    /// Small integers, special data and any pattern.
    fn datum(&mut self, ty: FloatTy) -> Float {
        let special =
            [Float::zero(ty), Float::inf(ty), Float::nan(ty), Float::min_subnormal(ty), Float::min_positive(ty), Float::max_finite(ty)];
        let f = match self.next() % 4 {
            0 => special[self.next() as usize % special.len()],
            1 => Float::from_int(ty, &IBig::from(self.next() % 9)),
            2 => Float::from_int(ty, &IBig::from(self.next() % 99)).div(Float::from_int(ty, &IBig::from(7))),
            _ => at_rank(ty, self.below(1 + rank(Float::inf(ty)) as u128) as i128),
        };
        if self.next() % 2 == 0 {
            f.neg()
        } else {
            f
        }
    }

    fn range(&mut self, ty: FloatTy) -> FRange {
        let (a, b) = (self.datum(ty), self.datum(ty));
        let numbers = match self.next() % 3 {
            0 => FRange::of(a),
            _ => FRange::of(a).join(FRange::of(b)),
        };
        numbers.or_nan(self.next() % 4 == 0)
    }

    fn member(&mut self, r: FRange) -> Float {
        if !r.has_numbers() || (r.nan && self.next() % 4 == 0) {
            return Float::nan(r.ty);
        }
        match self.next() % 4 {
            0 => at_rank(r.ty, r.lo),
            1 => at_rank(r.ty, r.hi),
            2 if r.has_zero() => at_rank(r.ty, if self.next() % 2 == 0 { r.lo.max(-1) } else { r.hi.min(0) }),
            _ => at_rank(r.ty, r.lo + self.below((r.hi - r.lo) as u128 + 1) as i128),
        }
    }
}

#[test]
fn ranks_are_the_order_of_the_numbers() {
    let mut random = Random(7);
    for ty in [FloatTy::F32, FloatTy::F64, FloatTy::F80] {
        for _ in 0..2000 {
            let (a, b) = (random.datum(ty), random.datum(ty));
            if a.is_nan() || b.is_nan() {
                continue;
            }
            assert!(at_rank(ty, rank(a)).feq(a) && at_rank(ty, rank(a)).sign_bit() == a.sign_bit());
            assert_eq!(a.lt(b), super::value_of(rank(a)) < super::value_of(rank(b)), "{a:?} {b:?}");
        }
        assert_eq!(at_rank(ty, rank(Float::inf(ty)) - 1), Float::max_finite(ty));
    }
}

#[test]
fn operators_enclose_the_results_of_members() {
    let mut random = Random(1);
    for ty in [FloatTy::F32, FloatTy::F64, FloatTy::F80] {
        for _ in 0..6000 {
            let (a, b) = (random.range(ty), random.range(ty));
            let (x, y) = (random.member(a), random.member(b));
            for op in BINARY {
                let (r, v) = (FRange::binary(op, a, b), eval::fbin(op, x, y));
                assert!(r.contains(v), "{op:?} {a:?} {b:?}: {x:?} {y:?} give {v:?}, not in {r:?}");
            }
            for op in UNARY {
                let (r, v) = (FRange::unary(op, a), eval::fun(op, x));
                assert!(r.contains(v), "{op:?} {a:?}: {x:?} gives {v:?}, not in {r:?}");
            }
            for op in COMPARE {
                let v = eval::fcmp(op, x, y);
                assert!(FRange::compare(op, a, b).is_none_or(|t| t == v), "{op:?} {a:?} {b:?}: {x:?} {y:?}");
                let (p, q) = FRange::refine(op, a, b, v);
                assert!(p.contains(x) && q.contains(y), "{op:?} is {v} {a:?} {b:?}: {x:?} {y:?} not in {p:?} {q:?}");
                assert!(p.subset(a) && q.subset(b));
            }
            for test in TESTS {
                let v = eval::ftest(test, x);
                assert!(a.test(test).is_none_or(|t| t == v), "{test:?} {a:?}: {x:?}");
                let p = a.refine_test(test, v);
                assert!(p.contains(x) && p.subset(a), "{test:?} is {v} {a:?}: {x:?} not in {p:?}");
            }
            for to in [FloatTy::F32, FloatTy::F64, FloatTy::F80] {
                assert!(a.cast(to).contains(x.convert(to)), "{a:?} {x:?} to {to:?}");
            }
            for to in [IntTy::I32, IntTy::U8, IntTy::U64] {
                let v = i128::try_from(eval::fto_int(to, x)).unwrap();
                assert!(a.to_int(to).contains(v), "{a:?} {x:?} to {to}");
            }
            if ty != FloatTy::F80 {
                assert!(a.bits().contains(x.bits as i128), "{a:?} {x:?}");
                let bits = Range::new((x.bits.min(y.bits)) as i128, x.bits.max(y.bits) as i128);
                assert!(FRange::from_bits(ty, bits).contains(x), "{bits:?}");
            }
            let (m, n) = (random.next() as i128 - (1 << 43), random.next() as i128 % 5000);
            let v = m + (random.next() as i128) % (n + 1);
            assert!(FRange::from_int(ty, Range::new(m, m + n)).contains(Float::from_int(ty, &IBig::from(v))));
        }
    }
}

#[test]
fn bounds_are_the_results_of_bounds() {
    let of = |lo: f64, hi: f64| FRange::between(Float::from_f64(lo), Float::from_f64(hi));
    assert_eq!(FRange::binary(FBinOp::Add, of(1.0, 2.0), of(0.1, 0.2)), of(1.1, 2.2));
    assert_eq!(FRange::binary(FBinOp::Mul, of(-1.0, 2.0), of(-3.0, 0.5)), of(-6.0, 3.0));
    assert_eq!(FRange::binary(FBinOp::Div, of(1.0, 2.0), of(0.0, 4.0)), of(0.25, f64::INFINITY));
    assert!(FRange::binary(FBinOp::Div, of(0.0, 2.0), of(0.0, 4.0)).nan);
    assert_eq!(FRange::unary(FUnOp::Abs, of(-3.0, 2.0)), of(0.0, 3.0));
    assert_eq!(FRange::unary(FUnOp::Sqrt, of(4.0, 9.0)), of(2.0, 3.0));
    assert_eq!(FRange::binary(FBinOp::Rem, of(1.0, 2.0), of(3.0, 4.0)), of(1.0, 2.0));
    assert_eq!(FRange::compare(FCmpOp::Le, of(0.0, 1.0), of(1.0, 2.0)), Some(true));
    assert_eq!(FRange::compare(FCmpOp::Lt, of(0.0, 1.0), of(1.0, 2.0)), None);
    let (a, b) = FRange::refine(FCmpOp::Lt, of(0.0, 5.0), of(-1.0, 3.0), true);
    assert_eq!((a.hi(), b), (Some(Float::from_f64(3.0f64.next_down())), of(f64::from_bits(1), 3.0)));
    assert_eq!(of(-1.5, 3.7).to_int(IntTy::I32), Range::new(-1, 3));
}
