//! Intervals of integer terms without the 128-bit horizon of [`plumb_term::Range`]: the encoding to bits needs the exact
//! width of `u128` values and of products.

use plumb_term::{IBig, IntTy, Kind, Scalar, Sort, Term, VarTy};
use rustc_hash::FxHashMap;

/// Values beyond ±2^MAX_BITS count as unbounded.
pub(crate) const MAX_BITS: usize = 512;

/// A nonempty set of integers `lo..=hi`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) lo: IBig,
    pub(crate) hi: IBig,
}

impl Interval {
    fn new(lo: IBig, hi: IBig) -> Interval {
        Interval { lo, hi }
    }

    fn hull(values: impl IntoIterator<Item = IBig>) -> Option<Interval> {
        let mut it = values.into_iter();
        let first = it.next()?;
        Some(it.fold(Interval::new(first.clone(), first), |i, v| Interval { lo: i.lo.min(v.clone()), hi: i.hi.max(v) }))
    }

    /// The values of a machine type.
    pub(crate) fn of_type(ty: IntTy) -> Interval {
        Interval::new(ty.min(), ty.max())
    }

    /// Whether no value is negative.
    pub(crate) fn is_nonneg(&self) -> bool {
        self.lo >= IBig::ZERO
    }

    pub(crate) fn contains(&self, v: &IBig) -> bool {
        self.lo <= *v && *v <= self.hi
    }

    /// The least width that holds every value: unsigned if none is negative, else two's complement.
    pub(crate) fn width(&self) -> u32 {
        if self.is_nonneg() {
            bit_len(&self.hi).max(1)
        } else {
            self.signed_width()
        }
    }

    /// The least width of two's complement that holds every value.
    pub(crate) fn signed_width(&self) -> u32 {
        let need = |v: &IBig| 1 + if *v < IBig::ZERO { bit_len(&(-v - IBig::ONE)) } else { bit_len(v) };
        need(&self.lo).max(need(&self.hi))
    }

    fn small(self) -> Option<Interval> {
        (self.signed_width() as usize <= MAX_BITS).then_some(self)
    }
}

/// Bits of a nonnegative number.
pub(crate) fn bit_len(v: &IBig) -> u32 {
    use dashu_int::ops::BitTest;
    v.bit_len() as u32
}

/// Intervals of terms, remembered.
#[derive(Default)]
pub(crate) struct Bounds {
    known: FxHashMap<Term, Option<Interval>>,
}

impl Bounds {
    /// What is known of an integer term; `None` if it is unbounded.
    pub(crate) fn of(&mut self, t: Term) -> Option<Interval> {
        if let Some(i) = from_range(t) {
            return Some(i);
        }
        let mut stack = vec![(t, false)];
        while let Some((n, expanded)) = stack.pop() {
            if self.known.contains_key(&n) {
                continue;
            }
            if expanded {
                let i = self.node(n).and_then(Interval::small);
                self.known.insert(n, i);
            } else {
                stack.push((n, true));
                let inner = n.children().filter(|c| c.sort() == Sort::Int && from_range(*c).is_none());
                stack.extend(inner.filter(|c| !self.known.contains_key(c)).map(|c| (c, false)));
            }
        }
        self.get(t)
    }

    fn get(&self, t: Term) -> Option<Interval> {
        from_range(t).or_else(|| self.known.get(&t).cloned().flatten())
    }

    fn node(&self, t: Term) -> Option<Interval> {
        use Kind::*;
        let corners = |a: &Interval, b: &Interval, f: &dyn Fn(&IBig, &IBig) -> IBig| {
            Interval::hull([f(&a.lo, &b.lo), f(&a.lo, &b.hi), f(&a.hi, &b.lo), f(&a.hi, &b.hi)])
        };
        match t.kind() {
            Int(v) => Some(Interval::new(v.clone(), v.clone())),
            Var(v) => match v.ty {
                VarTy::Scalar(Scalar::Int(ty)) => Some(Interval::of_type(ty)),
                _ => None,
            },
            Wrap(ty, _) | FToInt(ty, _) | Load(Scalar::Int(ty), ..) => Some(Interval::of_type(*ty)),
            FBits(a) => match a.sort() {
                Sort::Float(ty) => Some(Interval::of_type(IntTy::unsigned(ty.bits() as u16))),
                _ => None,
            },
            Ite(_, a, b) => {
                let (a, b) = (self.get(*a)?, self.get(*b)?);
                Some(Interval::new(a.lo.min(b.lo), a.hi.max(b.hi)))
            }
            Lin(lin) => {
                let mut sum = Interval::new(lin.constant.clone(), lin.constant.clone());
                for (k, a) in &lin.parts {
                    let a = self.get(*a)?;
                    let (x, y) = (k * &a.lo, k * &a.hi);
                    sum = Interval::new(sum.lo + x.clone().min(y.clone()), sum.hi + x.max(y));
                }
                Some(sum)
            }
            Mul(a, b) => corners(&self.get(*a)?, &self.get(*b)?, &|x, y| x * y),
            Div(a, b) => {
                let a = self.get(*a)?;
                match self.get(*b) {
                    Some(b) if b.lo > IBig::ZERO => corners(&a, &b, &|x, y| x / y),
                    _ => Some(symmetric(&a)),
                }
            }
            Rem(a, _) => {
                let a = self.get(*a)?;
                Some(Interval::new(a.lo.min(IBig::ZERO), a.hi.max(IBig::ZERO)))
            }
            BitAnd(a, b) => match (self.get(*a), self.get(*b)) {
                (Some(a), Some(b)) if a.is_nonneg() && b.is_nonneg() => Some(Interval::new(IBig::ZERO, a.hi.min(b.hi))),
                (Some(a), _) if a.is_nonneg() => Some(Interval::new(IBig::ZERO, a.hi)),
                (_, Some(b)) if b.is_nonneg() => Some(Interval::new(IBig::ZERO, b.hi)),
                (Some(a), Some(b)) => Some(bitwise(&a, &b)),
                _ => None,
            },
            BitOr(a, b) | BitXor(a, b) => Some(bitwise(&self.get(*a)?, &self.get(*b)?)),
            Shl(a, n) => {
                let (a, (_, hi)) = (self.get(*a)?, self.counts(*n));
                Interval::hull([IBig::ZERO, a.lo.clone(), a.hi.clone(), a.lo << hi, a.hi << hi])
            }
            Shr(a, _) => {
                let a = self.get(*a)?;
                Some(Interval::new(a.lo.min(IBig::ZERO), a.hi.max(IBig::ZERO)))
            }
            _ => None,
        }
    }

    /// The counts in `0..=255` that a shift may have.
    fn counts(&self, n: Term) -> (usize, usize) {
        let clamp = |v: IBig| usize::try_from(v.max(IBig::ZERO).min(IBig::from(255))).unwrap_or(255);
        self.get(n).map_or((0, 255), |n| (clamp(n.lo), clamp(n.hi)))
    }
}

fn from_range(t: Term) -> Option<Interval> {
    let r = t.range();
    Some(Interval::new(IBig::from(r.lo?), IBig::from(r.hi?)))
}

fn symmetric(a: &Interval) -> Interval {
    let m = (-&a.lo).max(a.hi.clone()).max(IBig::ZERO);
    let lo = -&m;
    Interval::new(lo, m)
}

fn bitwise(a: &Interval, b: &Interval) -> Interval {
    if a.is_nonneg() && b.is_nonneg() {
        let w = bit_len(&a.hi).max(bit_len(&b.hi)) as usize;
        return Interval::new(IBig::ZERO, (IBig::ONE << w) - IBig::ONE);
    }
    let w = a.signed_width().max(b.signed_width()) as usize;
    Interval::new(-(IBig::ONE << (w - 1)), (IBig::ONE << (w - 1)) - IBig::ONE)
}
