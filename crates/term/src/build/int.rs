//! Products, quotients, bit operations and wraps on integers.

use crate::build::linear::Sum;
use crate::eval;
use crate::node::{Kind, Term};
use crate::ty::IntTy;
use dashu_int::IBig;

/// Inner wraps are dissolved in an outer one only while the linear form stays this small: larger ones keep their sharing.
const WRAP_PARTS: usize = 6;

impl Term {
    /// Product.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn mul(self, o: Term) -> Term {
        match (self.as_int(), o.as_int()) {
            (Some(k), _) => o.scale(k),
            (_, Some(k)) => self.scale(k),
            _ => Term::intern(Kind::Mul(self.min(o), self.max(o))),
        }
    }

    /// C division (truncating; by zero yields 0).
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn div(self, o: Term) -> Term {
        match (self.as_int(), o.as_int()) {
            (Some(a), Some(b)) => Term::int(eval::div(a, b)),
            (_, Some(b)) if *b == IBig::ONE => self,
            (_, Some(b)) if *b == IBig::NEG_ONE => self.neg(),
            _ => Term::intern(Kind::Div(self, o)),
        }
    }

    /// C remainder (sign of the dividend; by zero yields the dividend).
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn rem(self, o: Term) -> Term {
        match (self.as_int(), o.as_int()) {
            (Some(a), Some(b)) => Term::int(eval::rem(a, b)),
            (_, Some(b)) if *b == IBig::ONE || *b == IBig::NEG_ONE => Term::int(0),
            (_, Some(b)) => {
                let (r, b) = (self.range(), i128::try_from(b).unwrap_or(i128::MIN).checked_abs());
                if let (Some(lo), Some(hi), Some(b)) = (r.lo, r.hi, b) {
                    if b > 0 && lo > -b && hi < b {
                        return self;
                    }
                }
                Term::intern(Kind::Rem(self, o))
            }
            _ => Term::intern(Kind::Rem(self, o)),
        }
    }

    /// The value of type `ty` congruent to `self` modulo 2^bits.
    #[must_use]
    pub fn wrap(self, ty: IntTy) -> Term {
        if self.range().fits(ty) {
            return self;
        }
        match self.kind() {
            Kind::Int(v) => Term::int(ty.wrap(v)),
            Kind::Wrap(inner, t) if inner.bits >= ty.bits => t.wrap(ty),
            Kind::Ite(c, a, b) if a.as_int().is_some() || b.as_int().is_some() => Term::ite(*c, a.wrap(ty), b.wrap(ty)),
            Kind::Lin(_) => {
                let t = reduce(self, ty);
                if t.range().fits(ty) {
                    t
                } else if let Kind::Lin(_) = t.kind() {
                    Term::intern(Kind::Wrap(ty, t))
                } else {
                    t.wrap(ty)
                }
            }
            _ => Term::intern(Kind::Wrap(ty, self)),
        }
    }

    /// Bitwise and, on infinite two's complement.
    #[must_use]
    pub fn bit_and(self, o: Term) -> Term {
        if self == o {
            return self;
        }
        let (a, b) = (self.min(o), self.max(o));
        for (x, k) in [(a, b), (b, a)] {
            if let Some(k) = k.as_int() {
                if let Some(x) = x.as_int() {
                    return Term::int(x & k);
                }
                if *k == IBig::ZERO || *k == IBig::NEG_ONE {
                    return if *k == IBig::ZERO { k_term(k) } else { x };
                }
                // A mask 2^n − 1 is the remainder modulo 2^n.
                if *k > IBig::ZERO {
                    let next = k + IBig::ONE;
                    let bits = next.trailing_zeros().unwrap_or(0);
                    if bits <= 128 && next == IBig::ONE << bits {
                        return x.wrap(IntTy::unsigned(bits as u16));
                    }
                }
            }
        }
        Term::intern(Kind::BitAnd(a, b))
    }

    /// Bitwise or, on infinite two's complement.
    #[must_use]
    pub fn bit_or(self, o: Term) -> Term {
        match (self.as_int(), o.as_int()) {
            (Some(a), Some(b)) => Term::int(a | b),
            (Some(k), _) if *k == IBig::ZERO => o,
            (_, Some(k)) if *k == IBig::ZERO => self,
            _ if self == o => self,
            _ => Term::intern(Kind::BitOr(self.min(o), self.max(o))),
        }
    }

    /// Bitwise exclusive or, on infinite two's complement.
    #[must_use]
    pub fn bit_xor(self, o: Term) -> Term {
        match (self.as_int(), o.as_int()) {
            (Some(a), Some(b)) => Term::int(a ^ b),
            (Some(k), _) if *k == IBig::ZERO => o,
            (_, Some(k)) if *k == IBig::ZERO => self,
            _ if self == o => Term::int(0),
            _ => Term::intern(Kind::BitXor(self.min(o), self.max(o))),
        }
    }

    /// Bitwise complement: `−x − 1`.
    #[must_use]
    pub fn bit_not(self) -> Term {
        Term::int(-1).sub(self)
    }

    /// `self · 2^n`.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn shl(self, n: Term) -> Term {
        match n.as_int() {
            Some(k) => match eval::shift_count(k) {
                Some(k) => self.scale(&(IBig::ONE << k)),
                None => Term::int(0),
            },
            None => Term::intern(Kind::Shl(self, n)),
        }
    }

    /// `⌊self / 2^n⌋`.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn shr(self, n: Term) -> Term {
        if let Some(k) = n.as_int() {
            match (eval::shift_count(k), self.as_int()) {
                (None, _) => return Term::int(0),
                (Some(0), _) => return self,
                (Some(k), Some(v)) => return Term::int(eval::floor_shr(v, k)),
                // Truncating and flooring division agree on nonnegative numbers.
                (Some(k), None) if self.range().lo.is_some_and(|l| l >= 0) => return self.div(Term::int(IBig::ONE << k)),
                _ => {}
            }
        }
        Term::intern(Kind::Shr(self, n))
    }
}

fn k_term(k: &IBig) -> Term {
    Term::int(k.clone())
}

/// A linear form with the same value modulo 2^bits: coefficients and constant in the signed range, inner wraps of at
/// least that width dissolved while it stays small.
fn reduce(t: Term, ty: IntTy) -> Term {
    let Kind::Lin(lin) = t.kind() else { return t };
    let near = IntTy::signed(ty.bits);
    let mut s = Sum::constant(near.wrap(&lin.constant));
    let small = lin.parts.len() <= WRAP_PARTS;
    for (k, a) in &lin.parts {
        let k = near.wrap(k);
        match a.kind() {
            Kind::Wrap(inner, x) if small && inner.bits >= ty.bits && parts_of(*x) <= WRAP_PARTS => s.add(&k, *x),
            _ => s.add(&k, *a),
        }
    }
    s.constant = near.wrap(&s.constant);
    let (constant, mut parts) = s.parts();
    for p in &mut parts {
        p.0 = near.wrap(&p.0);
    }
    parts.retain(|p| p.0 != IBig::ZERO);
    Term::linear(near.wrap(&constant), parts)
}

fn parts_of(t: Term) -> usize {
    match t.kind() {
        Kind::Lin(l) => l.parts.len(),
        _ => 1,
    }
}
