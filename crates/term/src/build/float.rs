//! Floating-point operators: constants fold, nothing else is assumed of IEEE arithmetic.

use crate::eval;
use crate::float::{Float, FloatTy};
use crate::node::{FBinOp, FCmpOp, FTest, FUnOp, Kind, Term};
use crate::ty::{IntTy, Sort};
use dashu_int::IBig;

impl Term {
    /// A floating-point constant.
    pub fn float(f: Float) -> Term {
        Term::intern(Kind::Float(f))
    }

    /// The constant, if it is one.
    pub fn as_float(self) -> Option<Float> {
        match self.kind() {
            Kind::Float(f) => Some(*f),
            _ => None,
        }
    }

    /// Binary operator on two floats of one type.
    pub fn fbin(op: FBinOp, a: Term, b: Term) -> Term {
        match (a.as_float(), b.as_float()) {
            (Some(x), Some(y)) => Term::float(eval::fbin(op, x, y)),
            _ => Term::intern(Kind::FBin(op, a, b)),
        }
    }

    /// Unary operator.
    pub fn fun(op: FUnOp, a: Term) -> Term {
        match a.as_float() {
            Some(x) => Term::float(eval::fun(op, x)),
            None => Term::intern(Kind::FUn(op, a)),
        }
    }

    /// Comparison.
    pub fn fcmp(op: FCmpOp, a: Term, b: Term) -> Term {
        match (a.as_float(), b.as_float()) {
            (Some(x), Some(y)) => Term::bool(eval::fcmp(op, x, y)),
            _ => Term::intern(Kind::FCmp(op, a, b)),
        }
    }

    /// Class test.
    pub fn ftest(test: FTest, a: Term) -> Term {
        match a.as_float() {
            Some(x) => Term::bool(eval::ftest(test, x)),
            None => Term::intern(Kind::FTest(test, a)),
        }
    }

    /// Conversion of an integer, rounding to nearest even.
    pub fn ffrom_int(ty: FloatTy, a: Term) -> Term {
        match a.as_int() {
            Some(v) => Term::float(Float::from_int(ty, v)),
            None => Term::intern(Kind::FFromInt(ty, a)),
        }
    }

    /// Truncating conversion to an integer type.
    pub fn fto_int(ty: IntTy, a: Term) -> Term {
        match a.as_float() {
            Some(x) => Term::int(eval::fto_int(ty, x)),
            None => Term::intern(Kind::FToInt(ty, a)),
        }
    }

    /// Conversion between float types.
    pub fn fcast(ty: FloatTy, a: Term) -> Term {
        if a.sort() == Sort::Float(ty) {
            return a;
        }
        match a.as_float() {
            Some(x) => Term::float(x.convert(ty)),
            None => Term::intern(Kind::FCast(ty, a)),
        }
    }

    /// The bit pattern.
    pub fn fbits(a: Term) -> Term {
        match a.kind() {
            Kind::Float(x) => Term::int(IBig::from(x.bits)),
            Kind::FFromBits(ty, b) => b.wrap(IntTy::unsigned(ty.bits() as u16)),
            _ => Term::intern(Kind::FBits(a)),
        }
    }

    /// The float whose bit pattern are the low bits of an integer.
    pub fn ffrom_bits(ty: FloatTy, a: Term) -> Term {
        match a.kind() {
            Kind::Int(v) => Term::float(Float { ty, bits: eval::low_bits(v, ty.bits() as u16) }),
            Kind::FBits(f) if f.sort() == Sort::Float(ty) => *f,
            _ => Term::intern(Kind::FFromBits(ty, a)),
        }
    }
}
