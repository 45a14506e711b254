//! Floats, as patterns.
//!
//! **Problem.** Floats as numbers (Z3's theory) lose their NaNs and are taken apart and put together again between any two operations by general procedures.
//!
//! **Picture.** Every float is its pattern, a word of 32 or 64 bits: reading, writing, choosing and comparing bits cost nothing. An operation takes its operands apart,
//! computes with a few digits more than the precision, rounds once and packs ([`super::round`], [`super::arith`], [`super::convert`]). Gates are stored once, so an operand of
//! several operations is taken apart once.
//!
//! **Contract.** The word is the pattern that [`plumb_term::eval`] yields, but for the sign and the payload of a NaN that an operation yields: these are open, as in [`crate::encode`]. Only `float` and `double` have one, and
//! `fmod` has none: its dividend is as wide as the range of the exponent.
//!
//! **Source.** Brain, Schanda, Sun, *Building Better Bit-Blasting for Floating-Point Problems*, TACAS 2019.

use super::build::{unencodable, Builder, Built, Part, Stop};
use super::gates::{Gates, Lit};
use super::round::{is_supported, Fields};
use super::words::Word;
use plumb_term::{Cell, FBinOp, FCmpOp, FTest, FUnOp, FloatTy, IBig, IntTy, Kind, RoundMode, Scalar, Sort, Term, VarTy};

/// The format of a float that has a circuit.
fn format(t: Term) -> Result<FloatTy, Stop> {
    match t.sort() {
        Sort::Float(ty) if is_supported(ty) => Ok(ty),
        _ => unencodable("floats other than float and double"),
    }
}

impl Builder {
    pub(super) fn pattern(&mut self, t: Term) -> Built {
        use Kind::*;
        let ty = format(t)?;
        match t.kind() {
            Float(f) => Ok(self.gates.numeral(&IBig::from(f.bits), ty.bits())),
            Var(v) if v.ty == VarTy::Scalar(Scalar::Float(ty)) => Ok(self.input(*v, ty.bits())),
            Ite(c, a, b) => {
                let [c, a, b] = self.needs([Part::Bool(*c), Part::Pattern(*a), Part::Pattern(*b)])?;
                Ok(self.gates.choose(c[0], &a, &b))
            }
            FFromBits(_, a) => self.need(Part::Bits(*a, ty.bits())),
            Load(_, m, a) => {
                let count = match m.sort() {
                    Sort::Mem(Cell::Byte) => i64::from(ty.bits()) / 8,
                    Sort::Mem(Cell::Scalar(scalar)) if scalar == Scalar::Float(ty) => 1,
                    _ => return unencodable("a float in cells of another type"),
                };
                let cells = self.need_all((0..count).map(|i| Part::Cell(*m, a.plus(i))))?;
                Ok(cells.iter().flat_map(|c| c.iter().copied()).collect())
            }
            FBin(op, a, b) => {
                let [a, b] = self.both_apart(*a, *b)?;
                match op {
                    FBinOp::Add => Ok(self.gates.fsum(&a, &b, false)),
                    FBinOp::Sub => Ok(self.gates.fsum(&a, &b, true)),
                    FBinOp::Mul => Ok(self.gates.fproduct(&a, &b)),
                    FBinOp::Div => Ok(self.gates.fquotient(&a, &b)),
                    FBinOp::Min => Ok(self.gates.fselect(&a, &b, false)),
                    FBinOp::Max => Ok(self.gates.fselect(&a, &b, true)),
                    FBinOp::CopySign => Ok(Fields { sign: b.sign, ..a }.pattern()),
                    FBinOp::Rem => unencodable("fmod of unknown operands"),
                }
            }
            FUn(op, a) => {
                let a = self.taken_apart(*a)?;
                let mode = match op {
                    FUnOp::Neg => return Ok(Fields { sign: !a.sign, ..a }.pattern()),
                    FUnOp::Abs => return Ok(Fields { sign: Lit::FALSE, ..a }.pattern()),
                    FUnOp::Sqrt => None,
                    FUnOp::Floor => Some(RoundMode::Down),
                    FUnOp::Ceil => Some(RoundMode::Up),
                    FUnOp::Trunc => Some(RoundMode::TowardZero),
                    FUnOp::Round => Some(RoundMode::NearestAway),
                    FUnOp::Rint => Some(RoundMode::NearestEven),
                };
                Ok(match mode {
                    Some(mode) => self.gates.fintegral(&a, mode),
                    None => self.gates.froot(&a),
                })
            }
            FFromInt(_, a) => {
                let i = self.interval(*a)?;
                let word = self.need(Part::Bits(*a, i.width()))?;
                Ok(self.gates.ffrom_int(ty, &word, !i.is_nonneg()))
            }
            FCast(_, a) => {
                let a = self.taken_apart(*a)?;
                Ok(self.gates.fcast(ty, &a))
            }
            _ => unencodable("a float of this kind"),
        }
    }

    fn taken_apart(&mut self, a: Term) -> Result<Fields, Stop> {
        let ty = format(a)?;
        let pattern = self.need(Part::Pattern(a))?;
        Ok(self.gates.fields(ty, &pattern))
    }

    fn both_apart(&mut self, a: Term, b: Term) -> Result<[Fields; 2], Stop> {
        let ty = format(a)?;
        if format(b)? != ty {
            return unencodable("an operation on floats of two formats");
        }
        let patterns = self.needs([Part::Pattern(a), Part::Pattern(b)])?;
        Ok(patterns.map(|p| self.gates.fields(ty, &p)))
    }

    pub(super) fn fcompare(&mut self, op: FCmpOp, a: Term, b: Term) -> Result<Lit, Stop> {
        let [a, b] = self.both_apart(a, b)?;
        let gates = &mut self.gates;
        match op {
            FCmpOp::Eq => Ok(gates.fequal(&a, &b)),
            FCmpOp::Lt => Ok(gates.fless(&a, &b)),
            FCmpOp::Le => {
                let (less, equal) = (gates.fless(&a, &b), gates.fequal(&a, &b));
                Ok(gates.or(less, equal))
            }
        }
    }

    pub(super) fn fclass(&mut self, test: FTest, a: Term) -> Result<Lit, Stop> {
        let a = self.taken_apart(a)?;
        Ok(match test {
            FTest::Nan => a.nan,
            FTest::Infinite => a.infinite,
            FTest::Zero => a.zero,
            FTest::SignBit => a.sign,
            FTest::Subnormal => self.gates.and(a.least, !a.zero),
            FTest::Normal => self.gates.all([!a.least, !a.nan, !a.infinite]),
        })
    }

    pub(super) fn truncated(&mut self, to: IntTy, a: Term) -> Built {
        let a = self.taken_apart(a)?;
        Ok(self.gates.fto_int(to, &a))
    }
}

impl Gates {
    /// C's `==`.
    fn fequal(&mut self, a: &Fields, b: &Fields) -> Lit {
        let same = self.same(&a.magnitude(), &b.magnitude());
        // Zeros of both signs are equal.
        let differ = self.xor(a.sign, b.sign);
        let alike = self.or(!differ, a.zero);
        self.all([same, alike, !a.nan])
    }

    /// C's `<`.
    fn fless(&mut self, a: &Fields, b: &Fields) -> Lit {
        let (x, y) = (a.magnitude(), b.magnitude());
        let (less, same) = (self.below(&x, &y), self.same(&x, &y));
        let greater = self.and(!less, !same);
        let alike = self.ite(a.sign, greater, less);
        let zeros = self.and(a.zero, b.zero);
        let apart = self.and(a.sign, !zeros);
        let differ = self.xor(a.sign, b.sign);
        let less = self.ite(differ, apart, alike);
        self.all([less, !a.nan, !b.nan])
    }

    /// C's `fmin`, or `fmax`: a quiet NaN is missing data; of two numbers that are equal, the second.
    fn fselect(&mut self, a: &Fields, b: &Fields, greater: bool) -> Word {
        let better = if greater { self.fless(b, a) } else { self.fless(a, b) };
        let (one, other) = (a.signaling(self), b.signaling(self));
        let signaling = self.or(one, other);
        let first = self.or(better, b.nan);
        let out = self.choose(first, &a.pattern(), &b.pattern());
        let both = self.and(a.nan, b.nan);
        let invalid = self.or(signaling, both);
        let nan = self.some_nan(a.ty);
        self.choose(invalid, &nan, &out)
    }
}
