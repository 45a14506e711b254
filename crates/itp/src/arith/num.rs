//! Rationals for the inner loop: two machine words while they suffice, [`Rat`] beyond.
//!
//! Most values of a tableau are integers, so every operation first looks for denominators that are one.

use plumb_num::{Int, Rat};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// A rational number in lowest terms. Equal numbers have equal representations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Num {
    /// Numerator and positive denominator.
    Small(i64, i64),
    /// Numerator or denominator does not fit, or the numerator is the least `i64`.
    Big(Box<Rat>),
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_u64(x, y));
        }
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Num {
    pub(crate) const ZERO: Num = Num::Small(0, 1);
    pub(crate) const ONE: Num = Num::Small(1, 1);

    /// The integer `v`.
    pub(crate) fn int(v: &Int) -> Num {
        match v.to_i64() {
            Some(n) if n != i64::MIN => Num::Small(n, 1),
            _ => Num::Big(Box::new(Rat::from(v.clone()))),
        }
    }

    /// `num / den`; `den` is not zero.
    pub(crate) fn ratio(num: &Int, den: &Int) -> Num {
        match (num.to_i64(), den.to_i64()) {
            (Some(n), Some(1)) if n != i64::MIN => Num::Small(n, 1),
            (Some(n), Some(d)) => Num::reduce(i128::from(n), i128::from(d)),
            _ => Num::from_rat(Rat::new(num.clone(), den.clone())),
        }
    }

    /// `n / d`; neither is the least `i128`, `d` is not zero.
    #[inline]
    pub(crate) fn quotient(n: i128, d: i128) -> Num {
        match i64::try_from(n) {
            Ok(word) if d == 1 && word != i64::MIN => Num::Small(word, 1),
            Ok(word) if d == -1 && word != i64::MIN => Num::Small(-word, 1),
            _ => Num::reduce(n, d),
        }
    }

    pub(crate) fn from_rat(r: Rat) -> Num {
        match (r.num().to_i64(), r.den().to_i64()) {
            (Some(n), Some(d)) if n != i64::MIN => Num::Small(n, d),
            _ => Num::Big(Box::new(r)),
        }
    }

    pub(crate) fn to_rat(&self) -> Rat {
        match self {
            Num::Small(n, d) => Rat::new(Int::from(*n), Int::from(*d)),
            Num::Big(r) => (**r).clone(),
        }
    }

    /// `n / d` in lowest terms; neither is the least `i128`, `d` is not zero.
    fn reduce(n: i128, d: i128) -> Num {
        let g = gcd(n.unsigned_abs(), d.unsigned_abs()) as i128;
        let g = if d < 0 { -g } else { g };
        let (n, d) = (n / g, d / g);
        match (i64::try_from(n), i64::try_from(d)) {
            (Ok(a), Ok(b)) if a != i64::MIN => Num::Small(a, b),
            _ => Num::Big(Box::new(Rat::new(Int::from(n), Int::from(d)))),
        }
    }

    #[inline]
    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Num::Small(0, _))
    }

    #[inline]
    pub(crate) fn is_integer(&self) -> bool {
        match self {
            Num::Small(_, d) => *d == 1,
            Num::Big(r) => r.is_integer(),
        }
    }

    pub(crate) fn signum(&self) -> i32 {
        match self {
            Num::Small(n, _) => n.signum() as i32,
            Num::Big(r) => r.signum(),
        }
    }

    pub(crate) fn floor(&self) -> Int {
        match self {
            Num::Small(n, d) => Int::from(n.div_euclid(*d)),
            Num::Big(r) => r.floor(),
        }
    }

    /// `self · a / b`; `b` is not zero.
    #[inline]
    pub(crate) fn scaled(&self, a: &Int, b: &Int) -> Num {
        if let (Num::Small(n, 1), Some(a), Some(b)) = (self, a.to_i64(), b.to_i64()) {
            if let Some(p) = n.checked_mul(a) {
                if p != i64::MIN {
                    match b {
                        1 => return Num::Small(p, 1),
                        -1 => return Num::Small(-p, 1),
                        _ => return Num::reduce(i128::from(p), i128::from(b)),
                    }
                }
            }
        }
        self * &Num::ratio(a, b)
    }
}

impl PartialOrd for Num {
    #[inline]
    fn partial_cmp(&self, other: &Num) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Num {
    #[inline]
    fn cmp(&self, other: &Num) -> Ordering {
        match (self, other) {
            (Num::Small(a, b), Num::Small(c, d)) if b == d => a.cmp(c),
            (Num::Small(a, b), Num::Small(c, d)) => (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b))),
            _ => self.to_rat().cmp(&other.to_rat()),
        }
    }
}

impl Add for &Num {
    type Output = Num;
    #[inline]
    fn add(self, rhs: &Num) -> Num {
        if let (Num::Small(a, b), Num::Small(c, d)) = (self, rhs) {
            if *b == 1 && *d == 1 {
                if let Some(s) = a.checked_add(*c).filter(|s| *s != i64::MIN) {
                    return Num::Small(s, 1);
                }
            }
            // Products of words are below 2^126, so that their sum fits.
            let n = i128::from(*a) * i128::from(*d) + i128::from(*c) * i128::from(*b);
            return Num::reduce(n, i128::from(*b) * i128::from(*d));
        }
        Num::from_rat(&self.to_rat() + &rhs.to_rat())
    }
}

impl Neg for &Num {
    type Output = Num;
    #[inline]
    fn neg(self) -> Num {
        match self {
            Num::Small(n, d) => Num::Small(-n, *d),
            Num::Big(r) => Num::from_rat(-&**r),
        }
    }
}

impl Sub for &Num {
    type Output = Num;
    #[inline]
    fn sub(self, rhs: &Num) -> Num {
        self + &-rhs
    }
}

impl Mul for &Num {
    type Output = Num;
    #[inline]
    fn mul(self, rhs: &Num) -> Num {
        if let (Num::Small(a, b), Num::Small(c, d)) = (self, rhs) {
            return Num::reduce(i128::from(*a) * i128::from(*c), i128::from(*b) * i128::from(*d));
        }
        Num::from_rat(&self.to_rat() * &rhs.to_rat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word() -> impl Strategy<Value = i64> {
        prop_oneof![-9i64..9, any::<i64>(), Just(i64::MIN), Just(i64::MAX), Just(i64::MIN + 1)]
    }

    fn rat() -> impl Strategy<Value = Rat> {
        (word(), word()).prop_map(|(n, d)| Rat::new(Int::from(n), Int::from(if d == 0 { 1 } else { d })))
    }

    proptest! {
        #[test]
        fn agrees_with_rat(a in rat(), b in rat(), m in word(), d in word()) {
            let (x, y) = (Num::from_rat(a.clone()), Num::from_rat(b.clone()));
            prop_assert_eq!(x.to_rat(), a.clone());
            prop_assert_eq!(&x + &y, Num::from_rat(&a + &b));
            prop_assert_eq!(&x - &y, Num::from_rat(&a - &b));
            prop_assert_eq!(&x * &y, Num::from_rat(&a * &b));
            prop_assert_eq!(-&x, Num::from_rat(-&a));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x.signum(), a.signum());
            prop_assert_eq!(x.floor(), a.floor());
            prop_assert_eq!(x.is_integer(), a.is_integer());
            let (m, d) = (Int::from(m), Int::from(if d == 0 { -3 } else { d }));
            prop_assert_eq!(x.scaled(&m, &d), Num::from_rat(&a * &Rat::new(m.clone(), d.clone())));
            prop_assert_eq!(Num::ratio(&m, &d), Num::from_rat(Rat::new(m.clone(), d)));
            prop_assert_eq!(Num::int(&m), Num::from_rat(Rat::from(m)));
        }
    }
}
