//! Integers as integers.
//!
//! Wraps become case splits where the interval of the operand leaves few quotients, and remainders otherwise. (One run of
//! `examples/measure.rs` each: cases and remainders took about the same time on sums; on a multiplicative hash, remainders got
//! through 19 rounds and a fresh quotient with range axioms through 8 before a query took 5 s.) Bit operations
//! with a constant are sums of remainders (exact for unbounded operands too); the others go through bit-vectors of a
//! sufficient width.

use super::{pow2, unencodable, Built, Encoder, Encoding, Task};
use crate::ffi::Ast;
use dashu_int::ops::BitTest;
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Sort, Term};

/// At most this many quotients of a wrap are told apart by cases.
const WRAP_CASES: usize = 3;

/// At most this many runs of ones in a mask are computed by remainders.
const MASK_RUNS: usize = 4;

impl Encoder {
    pub(super) fn build_int(&mut self, t: Term) -> Built {
        use Kind::*;
        if self.encoding != Encoding::Int {
            return unencodable("a mathematical integer among bit-vectors");
        }
        match t.kind() {
            Int(v) => Ok(self.context.int(v)),
            Var(v) => Ok(self.symbol(*v)),
            Ite(c, a, b) => {
                let (c, a, b) = self.need3(Task::Bool(*c), Task::Int(*a), Task::Int(*b))?;
                Ok(c.ite(&a, &b))
            }
            Lin(lin) => {
                let atoms = self.needs(lin.parts.iter().map(|p| Task::Int(p.1)))?;
                let mut sum: Vec<Ast> = lin.parts.iter().zip(&atoms).map(|((k, _), a)| self.times(k, a)).collect();
                if lin.constant != IBig::ZERO {
                    sum.push(self.context.int(&lin.constant));
                }
                Ok(self.sum(&sum))
            }
            Mul(a, b) => {
                let (a, b) = self.need2(Task::Int(*a), Task::Int(*b))?;
                Ok(Ast::mul(&self.context, &[a, b]))
            }
            Div(a, b) => self.build_quotient(*a, *b, true),
            Rem(a, b) => self.build_quotient(*a, *b, false),
            Wrap(ty, a) => self.build_wrap(*ty, *a),
            BitAnd(a, b) => match mask_of(*a, *b) {
                Some((x, mask)) => self.build_masked(x, mask),
                None => self.through_bits(t),
            },
            // x | k = x + k − (x & k) and x ^ k = x + k − 2(x & k).
            BitOr(a, b) | BitXor(a, b) => match mask_of(*a, *b) {
                Some((x, mask)) => {
                    let both = self.build_masked(x, mask)?;
                    let x = self.need(Task::Int(x))?;
                    let weight = if matches!(t.kind(), BitOr(..)) { IBig::NEG_ONE } else { IBig::from(-2) };
                    Ok(self.sum(&[x, self.context.int(mask), self.times(&weight, &both)]))
                }
                None => self.through_bits(t),
            },
            Shl(a, n) => {
                let (a, n) = (self.need(Task::Int(*a)), self.build_power(*n));
                Ok(Ast::mul(&self.context, &[a?, n?]))
            }
            Shr(a, n) => match n.as_int().map(plumb_term::eval::shift_count) {
                Some(Some(k)) => Ok(self.need(Task::Int(*a))?.div(&self.context.int(&pow2(k as u32)))),
                Some(None) => Ok(self.context.int(&IBig::ZERO)),
                None if self.bounds(*a).is_some() => self.through_bits(t),
                None => {
                    let (a, power) = (self.need(Task::Int(*a)), self.build_power(*n));
                    let (a, power) = (a?, power?);
                    let zero = self.context.int(&IBig::ZERO);
                    Ok(power.equals(&zero).ite(&zero, &a.div(&power)))
                }
            },
            FToInt(ty, a) => Ok(self.float_to_bv(*ty, *a)?.bv_to_int(ty.signed)),
            FBits(a) => Ok(self.need(Task::Pattern(*a))?.bv_to_int(false)),
            Load(Scalar::Int(ty), m, a) => self.build_load(*ty, *m, *a),
            _ => unencodable("an integer was expected"),
        }
    }

    pub(super) fn sum(&self, parts: &[Ast]) -> Ast {
        match parts {
            [one] => one.clone(),
            _ => Ast::add(&self.context, parts),
        }
    }

    fn times(&self, k: &IBig, a: &Ast) -> Ast {
        if *k == IBig::ONE {
            a.clone()
        } else {
            Ast::mul(&self.context, &[self.context.int(k), a.clone()])
        }
    }

    /// A bit operation on bounded operands.
    fn through_bits(&mut self, t: Term) -> Built {
        let (bits, signed, _) = self.exact(t)?;
        Ok(bits.bv_to_int(signed))
    }

    /// Z3 divides towards the sign of the divisor's complement; for a nonnegative dividend that is C's way.
    fn build_quotient(&mut self, a: Term, b: Term, quotient: bool) -> Built {
        let (i, j) = (self.bounds(a), self.bounds(b));
        let (x, y) = self.need2(Task::Int(a), Task::Int(b))?;
        let zero = self.context.int(&IBig::ZERO);
        let part = |x: &Ast| if quotient { x.div(&y) } else { x.modulo(&y) };
        let nonneg = a.range().lo.is_some_and(|l| l >= 0) || i.is_some_and(|i| i.is_nonneg());
        let result = if nonneg { part(&x) } else { zero.le(&x).ite(&part(&x), &part(&x.neg()).neg()) };
        let by_zero = j.is_none_or(|j| j.contains(&IBig::ZERO)) && b.as_int().is_none_or(|b| *b == IBig::ZERO);
        if !by_zero {
            return Ok(result);
        }
        Ok(y.equals(&zero).ite(if quotient { &zero } else { &x }, &result))
    }

    fn build_wrap(&mut self, ty: IntTy, a: Term) -> Built {
        let bounds = self.bounds(a);
        // A shift by an unknown count is bounded only modulo the width.
        if matches!(a.kind(), Kind::Shl(..)) || (bounds.is_none() && is_bitwise(a)) {
            return Ok(self.need(Task::Bv(a, u32::from(ty.bits)))?.bv_to_int(ty.signed));
        }
        let x = self.need(Task::Int(a))?;
        Ok(self.wrap(ty, &x, bounds.map(|i| (i.lo, i.hi))))
    }

    /// `wrap_ty(x)` for `x` within the bounds.
    pub(super) fn wrap(&self, ty: IntTy, x: &Ast, bounds: Option<(IBig, IBig)>) -> Ast {
        let modulus = ty.modulus();
        if let Some((lo, hi)) = bounds {
            let quotient = |v: &IBig| {
                let r = ty.wrap(v);
                (v - r) / &modulus
            };
            let (first, last) = (quotient(&lo), quotient(&hi));
            if &last - &first < IBig::from(WRAP_CASES) {
                // x − q·2^n for the q with x ≤ max + q·2^n, from the least q on.
                let shifted =
                    |q: &IBig| if *q == IBig::ZERO { x.clone() } else { self.sum(&[x.clone(), self.context.int(&(-q * &modulus))]) };
                let mut q = last;
                let mut out = shifted(&q);
                while q > first {
                    q -= IBig::ONE;
                    let bound = self.context.int(&(ty.max() + &q * &modulus));
                    out = x.le(&bound).ite(&shifted(&q), &out);
                }
                return out;
            }
        }
        let modulus = self.context.int(&modulus);
        if !ty.signed {
            return x.modulo(&modulus);
        }
        let half = -ty.min();
        let moved = self.sum(&[x.clone(), self.context.int(&half)]).modulo(&modulus);
        self.sum(&[moved, self.context.int(&-half)])
    }

    /// `x & mask`: the bits of each run of ones.
    fn build_masked(&mut self, x: Term, mask: &IBig) -> Built {
        let value = self.need(Task::Int(x))?;
        if *mask < IBig::ZERO {
            // x & k = x − (x & ~k), and ~k is nonnegative.
            let rest = self.runs_of(&value, &(-mask - IBig::ONE));
            return Ok(self.sum(&[value, rest.neg()]));
        }
        Ok(self.runs_of(&value, mask))
    }

    fn runs_of(&self, x: &Ast, mask: &IBig) -> Ast {
        let parts: Vec<Ast> = runs(mask)
            .into_iter()
            .map(|(low, len)| {
                let shifted = if low == 0 { x.clone() } else { x.div(&self.context.int(&pow2(low))) };
                self.times(&pow2(low), &shifted.modulo(&self.context.int(&pow2(len))))
            })
            .collect();
        if parts.is_empty() {
            self.context.int(&IBig::ZERO)
        } else {
            self.sum(&parts)
        }
    }

    /// `2^n` for counts in `0..=255`, and 0 for others.
    fn build_power(&mut self, n: Term) -> Built {
        let counts = self.bounds(n);
        let count = self.need(Task::Int(n))?;
        let (lo, hi) = counts.map_or((0, 255), |i| {
            let clamp = |v: IBig| u32::try_from(v.max(IBig::ZERO).min(IBig::from(255))).unwrap_or(255);
            (clamp(i.lo), clamp(i.hi))
        });
        let powers = (lo..=hi).rev();
        Ok(powers.fold(self.context.int(&IBig::ZERO), |rest, k| {
            count.equals(&self.context.int(&IBig::from(k))).ite(&self.context.int(&pow2(k)), &rest)
        }))
    }

    fn build_load(&mut self, ty: IntTy, m: Term, a: Term) -> Built {
        let cells = self.load_cells(Scalar::Int(ty), m, a)?;
        if !matches!(m.sort(), Sort::Mem(Cell::Byte)) {
            return Ok(cells[0].clone());
        }
        let parts: Vec<Ast> = cells.iter().zip(0u32..).map(|(c, i)| self.times(&pow2(8 * i), c)).collect();
        let raw = self.sum(&parts);
        let top = pow2(8 * parts.len() as u32) - IBig::ONE;
        Ok(self.wrap(ty, &raw, Some((IBig::ZERO, top))))
    }
}

fn is_bitwise(t: Term) -> bool {
    matches!(t.kind(), Kind::BitAnd(..) | Kind::BitOr(..) | Kind::BitXor(..) | Kind::Shl(..))
}

/// The operand and the mask, if one of the two is a constant with few runs of ones (or zeros, if negative).
fn mask_of(a: Term, b: Term) -> Option<(Term, &'static IBig)> {
    let (x, k) = match (a.as_int(), b.as_int()) {
        (_, Some(k)) => (a, k),
        (Some(k), _) => (b, k),
        _ => return None,
    };
    let ones = if *k < IBig::ZERO { -k - IBig::ONE } else { k.clone() };
    (runs(&ones).len() <= MASK_RUNS).then_some((x, k))
}

/// The runs of ones of a nonnegative number: lowest bit and length.
fn runs(mask: &IBig) -> Vec<(u32, u32)> {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for i in 0..mask.bit_len() {
        if mask.bit(i) {
            match out.last_mut() {
                Some((low, len)) if (*low + *len) as usize == i => *len += 1,
                _ => out.push((i as u32, 1)),
            }
        }
    }
    out
}
