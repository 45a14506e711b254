//! Floats, as values and as patterns.
//!
//! A float of plumb is a bit pattern; a float of Z3 is a number, with a single NaN. So variables and cells are patterns (exact,
//! payloads and all), values are derived from them, and an operation's result is a value whose pattern is derived in turn. Only
//! the pattern of a NaN that an operation yields is left open: any quiet one. The x87 format has patterns without a meaning of their
//! own (the integer bit is stored): they are read as the processor reads them.

use super::{fp_sort, unencodable, Built, Encoder, Stop, Task};
use crate::ffi::Ast;
use plumb_term::{FBinOp, FTest, FUnOp, Float, FloatTy, IBig, IntTy, Kind, Scalar, Sort, Term};

fn format(t: Term) -> Result<FloatTy, Stop> {
    match t.sort() {
        Sort::Float(ty) => Ok(ty),
        _ => unencodable("a float was expected"),
    }
}

impl Encoder {
    pub(super) fn build_fp(&mut self, t: Term) -> Built {
        use Kind::*;
        let ty = format(t)?;
        let rne = self.context.nearest_even();
        match t.kind() {
            Float(f) => Ok(self.float_constant(*f)),
            Var(_) | Load(..) | FFromBits(..) => {
                let pattern = self.need(Task::Pattern(t))?;
                Ok(self.value_of(ty, &pattern))
            }
            Ite(c, a, b) => {
                let (c, a, b) = self.need3(Task::Bool(*c), Task::Fp(*a), Task::Fp(*b))?;
                Ok(c.ite(&a, &b))
            }
            FBin(FBinOp::CopySign, ..) => {
                let pattern = self.need(Task::Pattern(t))?;
                Ok(self.value_of(ty, &pattern))
            }
            FBin(FBinOp::Min | FBinOp::Max, a, b) => {
                let choice = self.choice(t)?;
                let (a, b) = self.need2(Task::Fp(*a), Task::Fp(*b))?;
                let nan = self.float_constant(plumb_term::Float::nan(ty));
                Ok(choice.invalid.ite(&nan, &choice.first.ite(&a, &b)))
            }
            FBin(op, a, b) => {
                let (a, b) = self.need2(Task::Fp(*a), Task::Fp(*b))?;
                match op {
                    FBinOp::Add => Ok(a.fp_add(&rne, &b)),
                    FBinOp::Sub => Ok(a.fp_sub(&rne, &b)),
                    FBinOp::Mul => Ok(a.fp_mul(&rne, &b)),
                    FBinOp::Div => Ok(a.fp_div(&rne, &b)),
                    // Z3 unfolds remainders into dividends as wide as the exponent range.
                    _ => unencodable("fmod of unknown operands"),
                }
            }
            FUn(op, a) => {
                let a = self.need(Task::Fp(*a))?;
                Ok(match op {
                    FUnOp::Neg => a.fp_neg(),
                    FUnOp::Abs => a.fp_abs(),
                    FUnOp::Sqrt => a.fp_sqrt(&rne),
                    FUnOp::Floor => a.fp_round(&self.context.downward()),
                    FUnOp::Ceil => a.fp_round(&self.context.upward()),
                    FUnOp::Trunc => a.fp_round(&self.context.toward_zero()),
                    FUnOp::Round => a.fp_round(&self.context.nearest_away()),
                    FUnOp::Rint => a.fp_round(&rne),
                })
            }
            FFromInt(_, a) => {
                let (bits, signed, _) = self.exact(*a)?;
                Ok(bits.bv_to_fp(signed, &rne, &fp_sort(&self.context, ty)))
            }
            FCast(_, a) => Ok(self.need(Task::Fp(*a))?.fp_to_fp(&rne, &fp_sort(&self.context, ty))),
            _ => unencodable("a float was expected"),
        }
    }

    pub(super) fn build_pattern(&mut self, t: Term) -> Built {
        use Kind::*;
        let ty = format(t)?;
        let sign = self.context.bv(&(IBig::ONE << (ty.bits() as usize - 1)), ty.bits());
        match t.kind() {
            Float(f) => Ok(self.context.bv(&IBig::from(f.bits), ty.bits())),
            Var(v) => Ok(self.symbol(*v)),
            FFromBits(_, a) => self.need(Task::Bv(*a, ty.bits())),
            Load(_, m, a) => {
                let cells = self.load_cells(Scalar::Float(ty), *m, *a)?;
                self.cells_to_bits(&cells, m.sort())
            }
            Ite(c, a, b) => {
                let (c, a, b) = self.need3(Task::Bool(*c), Task::Pattern(*a), Task::Pattern(*b))?;
                Ok(c.ite(&a, &b))
            }
            FUn(FUnOp::Neg, a) => Ok(self.need(Task::Pattern(*a))?.bvxor(&sign)),
            FUn(FUnOp::Abs, a) => Ok(self.need(Task::Pattern(*a))?.bvand(&self.all_but_sign(ty))),
            FBin(FBinOp::CopySign, a, b) => {
                let (a, b) = self.need2(Task::Pattern(*a), Task::Pattern(*b))?;
                Ok(a.bvand(&self.all_but_sign(ty)).bvor(&b.bvand(&sign)))
            }
            FBin(FBinOp::Min | FBinOp::Max, a, b) => {
                let choice = self.choice(t)?;
                let value = self.need(Task::Fp(t));
                let (a, b) = self.need2(Task::Pattern(*a), Task::Pattern(*b))?;
                let nan = self.some_nan(ty);
                Ok(value?.fp_is_nan().ite(&nan, &choice.first.ite(&a, &b)))
            }
            _ => {
                let value = self.need(Task::Fp(t))?;
                let nan = self.some_nan(ty);
                let plain = value.fp_pattern();
                let plain = if ty.has_explicit_integer_bit() { self.with_integer_bit(&plain) } else { plain };
                Ok(value.fp_is_nan().ite(&nan, &plain))
            }
        }
    }

    fn float_constant(&self, f: Float) -> Ast {
        let pattern = self.context.bv(&IBig::from(f.bits), f.ty.bits());
        self.value_of(f.ty, &pattern).simplify()
    }

    fn all_but_sign(&self, ty: FloatTy) -> Ast {
        self.context.bv(&((IBig::ONE << (ty.bits() as usize - 1)) - IBig::ONE), ty.bits())
    }

    /// The number with a pattern.
    fn value_of(&self, ty: FloatTy, pattern: &Ast) -> Ast {
        let sort = fp_sort(&self.context, ty);
        if !ty.has_explicit_integer_bit() {
            return pattern.pattern_to_fp(&sort);
        }
        // sign 79 | exponent 78..64 | integer bit 63 | fraction 62..0
        let (sign, exponent) = (pattern.extract(79, 79), pattern.extract(78, 64));
        let (integer, fraction) = (pattern.extract(63, 63), pattern.extract(62, 0));
        let is_one = integer.equals(&self.context.bv(&IBig::ONE, 1));
        let is_least = exponent.equals(&self.context.bv(&IBig::ZERO, 15));
        // With exponent 0 the integer bit counts as in exponent 1; without it, any other exponent is invalid.
        let pseudo = Ast::and(&self.context, &[is_one.clone(), is_least.clone()]);
        let invalid = Ast::and(&self.context, &[is_one.not(), is_least.not()]);
        let exponent = pseudo.ite(&self.context.bv(&IBig::ONE, 15), &exponent);
        let plain = sign.concat(&exponent).concat(&fraction);
        let nan = self.context.bv(&((IBig::from(0x7fff) << 63usize) + (IBig::ONE << 62usize)), 79);
        invalid.ite(&nan, &plain).pattern_to_fp(&sort)
    }

    /// The x87 pattern of the interchange pattern of a number.
    fn with_integer_bit(&self, plain: &Ast) -> Ast {
        let (head, exponent, fraction) = (plain.extract(78, 63), plain.extract(77, 63), plain.extract(62, 0));
        let (zero, one) = (self.context.bv(&IBig::ZERO, 1), self.context.bv(&IBig::ONE, 1));
        let integer = exponent.equals(&self.context.bv(&IBig::ZERO, 15)).ite(&zero, &one);
        head.concat(&integer).concat(&fraction)
    }

    /// An unknown quiet NaN.
    fn some_nan(&mut self, ty: FloatTy) -> Ast {
        let nan = self.helper("nan", &self.context.bv_sort(ty.bits()));
        // The exponent, the integer bit if stored, and the quiet bit are ones.
        let ones = ty.exponent_bits() + u32::from(ty.has_explicit_integer_bit()) + 1;
        let high = ty.bits() - 2;
        let all = self.context.bv(&((IBig::ONE << ones as usize) - IBig::ONE), ones);
        self.axioms.push(nan.extract(high, high + 1 - ones).equals(&all));
        nan
    }

    pub(super) fn build_ftest(&mut self, test: FTest, a: Term) -> Built {
        let ty = format(a)?;
        match test {
            FTest::SignBit => {
                let pattern = self.need(Task::Pattern(a))?;
                let top = ty.bits() - 1;
                return Ok(pattern.extract(top, top).equals(&self.context.bv(&IBig::ONE, 1)));
            }
            // Only the pattern tells a pseudo-denormal from the normal number of the same value.
            FTest::Normal | FTest::Subnormal if ty.has_explicit_integer_bit() => {
                let (x, pattern) = self.need2(Task::Fp(a), Task::Pattern(a))?;
                let least = pattern.extract(78, 64).equals(&self.context.bv(&IBig::ZERO, 15));
                let number = Ast::or(&self.context, &[x.fp_is_normal(), x.fp_is_subnormal()]);
                let least = if test == FTest::Normal { least.not() } else { least };
                return Ok(Ast::and(&self.context, &[number, least]));
            }
            _ => {}
        }
        let x = self.need(Task::Fp(a))?;
        Ok(match test {
            FTest::Nan => x.fp_is_nan(),
            FTest::Infinite => x.fp_is_infinite(),
            FTest::Normal => x.fp_is_normal(),
            FTest::Subnormal => x.fp_is_subnormal(),
            FTest::Zero | FTest::SignBit => x.fp_is_zero(),
        })
    }

    /// Whether the value `x` of term `a`, truncated, is one of `ty`.
    pub(super) fn fits(&self, ty: IntTy, a: Term, x: &Ast) -> Ast {
        let Sort::Float(format) = a.sort() else { return self.context.bool(false) };
        let whole = x.fp_round(&self.context.toward_zero());
        let constant = |v: &IBig| self.float_constant(Float::from_int(format, v));
        // Powers of two are exact, or infinite when no number reaches them; −0 is at least 0.
        let above = constant(&ty.min()).fp_le(&whole);
        let below = whole.fp_lt(&constant(&(ty.max() + IBig::ONE)));
        Ast::and(&self.context, &[above, below])
    }

    /// Which operand `fmin` or `fmax` returns.
    fn choice(&mut self, t: Term) -> Result<Choice, Stop> {
        let Kind::FBin(op, a, b) = t.kind() else { return unencodable("fmin or fmax was expected") };
        let ty = format(t)?;
        let patterns = self.need2(Task::Pattern(*a), Task::Pattern(*b));
        let (x, y) = self.need2(Task::Fp(*a), Task::Fp(*b))?;
        let (p, q) = patterns?;
        let context = self.context.clone();
        let signaling = |value: &Ast, pattern: &Ast| {
            let quiet = ty.precision() - 2;
            let zero = context.bv(&IBig::ZERO, 1);
            let mut parts = vec![pattern.extract(quiet, quiet).equals(&zero)];
            if ty.has_explicit_integer_bit() {
                parts.push(pattern.extract(63, 63).equals(&zero));
            }
            Ast::and(&context, &[value.fp_is_nan(), Ast::or(&context, &parts)])
        };
        let invalid = Ast::or(&context, &[signaling(&x, &p), signaling(&y, &q)]);
        let better = if *op == FBinOp::Min { x.fp_lt(&y) } else { y.fp_lt(&x) };
        Ok(Choice { invalid, first: Ast::or(&context, &[better, y.fp_is_nan()]) })
    }
}

struct Choice {
    /// A signaling NaN takes part: the result is NaN.
    invalid: Ast,
    /// Otherwise the result is the first operand (else the second).
    first: Ast,
}
