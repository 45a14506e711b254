//! Integers modulo a power of two.
//!
//! `Bv(t, w)` is `t mod 2^w`. Sums, products and bit operations are computed modulo 2^w; quotients, right shifts and the like
//! need their operands exactly, at the width of their [`Interval`], and are cut or extended afterwards. A term whose values need
//! fewer than `w` bits is computed narrow and extended.

use super::{pow2, unencodable, Built, Encoder, Encoding, Stop, Task};
use crate::bounds::{Interval, MAX_BITS};
use crate::ffi::Ast;
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Sort, Term, VarTy};

/// Cuts or extends from `from` to `to` bits.
pub(super) fn resize(ast: &Ast, signed: bool, from: u32, to: u32) -> Ast {
    match to.cmp(&from) {
        std::cmp::Ordering::Less => ast.extract(to - 1, 0),
        std::cmp::Ordering::Equal => ast.clone(),
        std::cmp::Ordering::Greater if signed => ast.sign_extend(to - from),
        std::cmp::Ordering::Greater => ast.zero_extend(to - from),
    }
}

/// `v mod 2^w`.
pub(super) fn residue(v: &IBig, w: u32) -> IBig {
    let modulus = pow2(w);
    let r = v % &modulus;
    if r < IBig::ZERO {
        r + modulus
    } else {
        r
    }
}

impl Encoder {
    pub(super) fn bv_numeral(&self, v: &IBig, w: u32) -> Ast {
        self.context.bv(&residue(v, w), w)
    }

    pub(super) fn build_bv(&mut self, t: Term, w: u32) -> Built {
        use Kind::*;
        if w as usize > MAX_BITS + 1 {
            return unencodable(format!("an integer of {w} bits"));
        }
        if let Int(v) = t.kind() {
            return Ok(self.bv_numeral(v, w));
        }
        let bounds = self.bounds(t);
        if let Some(i) = &bounds {
            let exact = i.width();
            if exact < w {
                let narrow = self.need(Task::Bv(t, exact))?;
                return Ok(resize(&narrow, !i.is_nonneg(), exact, w));
            }
        }
        match t.kind() {
            Ite(c, a, b) => {
                let (c, a, b) = self.need3(Task::Bool(*c), Task::Bv(*a, w), Task::Bv(*b, w))?;
                Ok(c.ite(&a, &b))
            }
            Wrap(ty, a) => {
                let bits = u32::from(ty.bits);
                let a = self.need(Task::Bv(*a, bits.min(w)))?;
                Ok(resize(&a, ty.signed, bits.min(w), w))
            }
            BitAnd(a, b) | BitOr(a, b) | BitXor(a, b) => {
                let (a, b) = self.bv_pair(*a, *b, w)?;
                Ok(match t.kind() {
                    BitAnd(..) => a.bvand(&b),
                    BitOr(..) => a.bvor(&b),
                    _ => a.bvxor(&b),
                })
            }
            Shl(a, n) => self.build_shl(*a, *n, w),
            Shr(a, n) => self.build_shr(*a, *n, w),
            FToInt(ty, a) => {
                let bv = self.float_to_bv(*ty, *a)?;
                Ok(resize(&bv, ty.signed, u32::from(ty.bits), w))
            }
            FBits(a) => {
                let Sort::Float(ty) = a.sort() else { return unencodable("the pattern of a number") };
                let pattern = self.need(Task::Pattern(*a))?;
                Ok(resize(&pattern, false, ty.bits(), w))
            }
            _ if self.encoding == Encoding::Int => Ok(self.need(Task::Int(t))?.int_to_bv(w)),
            Var(v) => match v.ty {
                VarTy::Scalar(Scalar::Int(ty)) => {
                    let symbol = self.symbol(*v);
                    Ok(resize(&symbol, ty.signed, u32::from(ty.bits), w))
                }
                _ => unencodable("an integer variable without bounds"),
            },
            Lin(lin) => {
                let atoms = self.needs(lin.parts.iter().map(|p| Task::Bv(p.1, w)))?;
                Ok(self.linear(&lin.constant, lin.parts.iter().map(|p| &p.0).zip(&atoms), w))
            }
            Mul(a, b) => {
                let (a, b) = self.bv_pair(*a, *b, w)?;
                Ok(a.bvmul(&b))
            }
            Div(a, b) => self.build_division(*a, *b, w, true),
            Rem(a, b) => self.build_division(*a, *b, w, false),
            Load(Scalar::Int(ty), m, a) => {
                let cells = self.load_cells(Scalar::Int(*ty), *m, *a)?;
                let all = concat(&cells);
                let (stored, bits) = (stored_bits(*ty, m.sort()), u32::from(ty.bits));
                Ok(resize(&resize(&all, false, stored, bits), ty.signed, bits, w))
            }
            _ => unencodable("an integer was expected"),
        }
    }

    fn bv_pair(&mut self, a: Term, b: Term, w: u32) -> Result<(Ast, Ast), Stop> {
        self.need2(Task::Bv(a, w), Task::Bv(b, w))
    }

    fn linear<'a>(&self, constant: &IBig, parts: impl Iterator<Item = (&'a IBig, &'a Ast)>, w: u32) -> Ast {
        let near = |k: &IBig| {
            let r = residue(k, w);
            if &r + &r > pow2(w) {
                r - pow2(w)
            } else {
                r
            }
        };
        let (mut plus, mut minus): (Vec<Ast>, Vec<Ast>) = (Vec::new(), Vec::new());
        for (k, atom) in parts {
            let k = near(k);
            if k == IBig::ZERO {
                continue;
            }
            let side = if k > IBig::ZERO { &mut plus } else { &mut minus };
            let size = if k > IBig::ZERO { k } else { -k };
            side.push(if size == IBig::ONE { atom.clone() } else { atom.bvmul(&self.bv_numeral(&size, w)) });
        }
        let sum = |list: Vec<Ast>| list.into_iter().reduce(|a, b| a.bvadd(&b));
        let constant = (residue(constant, w) != IBig::ZERO).then(|| self.bv_numeral(constant, w));
        let plus = sum(plus.into_iter().chain(constant).collect());
        match (plus, sum(minus)) {
            (Some(p), Some(m)) => p.bvsub(&m),
            (Some(p), None) => p,
            (None, Some(m)) => m.bvneg(),
            (None, None) => self.bv_numeral(&IBig::ZERO, w),
        }
    }

    /// The value with its width and whether that is two's complement.
    pub(super) fn exact(&mut self, t: Term) -> Result<(Ast, bool, u32), Stop> {
        let i = self.interval(t)?;
        let w = i.width();
        Ok((self.need(Task::Bv(t, w))?, !i.is_nonneg(), w))
    }

    fn build_division(&mut self, a: Term, b: Term, w: u32, quotient: bool) -> Built {
        let (i, j) = (self.interval(a)?, self.interval(b)?);
        let unsigned = i.is_nonneg() && j.is_nonneg();
        let mut wide = if unsigned { i.width().max(j.width()) } else { i.signed_width().max(j.signed_width()) };
        // The one quotient that needs a bit more: least value by −1.
        if !unsigned && quotient && j.contains(&IBig::NEG_ONE) && i.lo == -pow2(wide - 1) {
            wide += 1;
        }
        let (x, y) = self.bv_pair(a, b, wide)?;
        let result = match (unsigned, quotient) {
            (true, true) => x.bvudiv(&y),
            (true, false) => x.bvurem(&y),
            (false, true) => x.bvsdiv(&y),
            // Both remainders by zero are the dividend, as they should be.
            (false, false) => x.bvsrem(&y),
        };
        let result = if quotient && j.contains(&IBig::ZERO) {
            let zero = self.bv_numeral(&IBig::ZERO, wide);
            y.equals(&zero).ite(&zero, &result)
        } else {
            result
        };
        Ok(resize(&result, !unsigned, wide, w))
    }

    /// Shifts by a count at least as large as the width yield zero in Z3, so only counts that the width cannot express and
    /// counts between 256 and the width need care.
    fn build_shl(&mut self, a: Term, n: Term, w: u32) -> Built {
        let counts = self.interval(n)?;
        let (wn, wide) = (counts.width(), w.max(counts.width()).max(8));
        let (x, count) = self.need2(Task::Bv(a, wide), Task::Bv(n, wn))?;
        // A negative count, extended by its sign, is at least 2^(wide−1), which no width reaches.
        let shifted = x.bvshl(&resize(&count, !counts.is_nonneg(), wn, wide));
        let zero = self.bv_numeral(&IBig::ZERO, wide);
        Ok(resize(&self.within_counts(&counts, &count, wide > 256, &shifted, &zero), false, wide, w))
    }

    fn build_shr(&mut self, a: Term, n: Term, w: u32) -> Built {
        let (i, counts) = (self.interval(a)?, self.interval(n)?);
        let (wa, wn) = (i.width(), counts.width());
        let (signed, wide) = (!i.is_nonneg(), wa.max(wn).max(8));
        let (x, count) = self.need2(Task::Bv(a, wa), Task::Bv(n, wn))?;
        let (x, by) = (resize(&x, signed, wa, wide), resize(&count, !counts.is_nonneg(), wn, wide));
        let shifted = if signed { x.bvashr(&by) } else { x.bvlshr(&by) };
        let zero = self.bv_numeral(&IBig::ZERO, wide);
        Ok(resize(&self.within_counts(&counts, &count, signed || wide > 256, &shifted, &zero), signed, wide, w))
    }

    /// `shifted` for counts in `0..=255` and `zero` for others, if `guard` says that this matters.
    fn within_counts(&self, counts: &Interval, count: &Ast, guard: bool, shifted: &Ast, zero: &Ast) -> Ast {
        let inside = counts.is_nonneg() && counts.hi <= IBig::from(255);
        if inside || !guard {
            return shifted.clone();
        }
        let w = counts.width();
        // One comparison does both: a negative count is large when read as unsigned.
        let wide = w.max(9);
        let count = resize(count, !counts.is_nonneg(), w, wide);
        count.bvule(&self.bv_numeral(&IBig::from(255), wide)).ite(shifted, zero)
    }

    /// A float truncated to `ty`, or its least value.
    pub(super) fn float_to_bv(&mut self, ty: IntTy, a: Term) -> Built {
        let x = self.need(Task::Fp(a))?;
        let fits = self.fits(ty, a, &x);
        let bits = u32::from(ty.bits);
        let value = x.fp_to_bv(ty.signed, &self.context.toward_zero(), bits);
        Ok(fits.ite(&value, &self.bv_numeral(&ty.min(), bits)))
    }
}

/// The bits that a value of type `ty` takes in a memory.
fn stored_bits(ty: IntTy, memory: Sort) -> u32 {
    match memory {
        Sort::Mem(Cell::Scalar(_)) => u32::from(ty.bits),
        _ => 8 * ty.bytes() as u32,
    }
}

/// Little-endian cells (at least one) as one bit-vector.
pub(super) fn concat(cells: &[Ast]) -> Ast {
    cells[1..].iter().fold(cells[0].clone(), |low, high| high.concat(&low))
}
