//! Exact integers with a machine-word fast path.
//!
//! [`Int`] holds an `i64` inline and moves to a heap-allocated big integer when a checked operation overflows; a result
//! that fits again is moved back, so equal values have equal representations and `Eq`/`Hash` are structural. Nothing here
//! rounds, wraps or saturates.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};
use std::str::FromStr;

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};

/// An integer of any size.
///
/// ```
/// use plumb_num::Int;
/// let big = Int::from(i64::MAX) * Int::from(4);
/// assert_eq!(big.to_string(), "36893488147419103228");
/// assert_eq!(big.div_floor(&Int::from(4)), Int::from(i64::MAX));
/// ```
#[derive(Clone)]
pub struct Int(Repr);

#[derive(Clone)]
enum Repr {
    Small(i64),
    /// Invariant: the value does not fit an `i64`.
    Big(Box<IBig>),
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int(Repr::Small(0));
    /// One.
    pub const ONE: Int = Int(Repr::Small(1));
    /// Minus one.
    pub const MINUS_ONE: Int = Int(Repr::Small(-1));

    /// The integer `v`, usable in constants.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// const LIMIT: Int = Int::new(1 << 40);
    /// assert_eq!(LIMIT.to_string(), "1099511627776");
    /// ```
    pub const fn new(v: i64) -> Int {
        Int(Repr::Small(v))
    }

    /// The value as an `i64`, if it fits.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!(Int::from(i64::MIN).to_i64(), Some(i64::MIN));
    /// assert_eq!((Int::from(i64::MIN) - Int::ONE).to_i64(), None);
    /// ```
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(v) => Some(*v),
            Repr::Big(_) => None,
        }
    }

    /// The value as an `i128`, if it fits.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// let big = Int::from(i64::MAX) + Int::ONE;
    /// assert_eq!(big.to_i128(), Some(1 << 63));
    /// assert_eq!((&big * &(&big * &big)).to_i128(), None);
    /// ```
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small(v) => Some(i128::from(*v)),
            Repr::Big(b) => i128::try_from(&**b).ok(),
        }
    }

    /// A copy as a big integer.
    pub(crate) fn to_big(&self) -> IBig {
        match &self.0 {
            Repr::Small(v) => IBig::from(*v),
            Repr::Big(b) => (**b).clone(),
        }
    }

    /// Whether the value is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert!((Int::from(3) - Int::from(3)).is_zero() && !Int::ONE.is_zero());
    /// ```
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// Whether the value is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert!((Int::from(3) - Int::from(2)).is_one() && !Int::MINUS_ONE.is_one());
    /// ```
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1))
    }

    /// -1, 0 or 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!([Int::from(-9), Int::ZERO, Int::from(u64::MAX)].map(|v| v.signum()), [-1, 0, 1]);
    /// ```
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(v) => v.signum() as i32,
            Repr::Big(b) => {
                if **b < IBig::ZERO {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// Whether the value is below zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert!(Int::from(i64::MIN).is_negative() && !Int::ZERO.is_negative());
    /// ```
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether the value is above zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert!(Int::from(u64::MAX).is_positive() && !Int::ZERO.is_positive());
    /// ```
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// The absolute value.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!(Int::from(i64::MIN).abs(), Int::from(1u64 << 63));
    /// ```
    pub fn abs(&self) -> Int {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// The non-negative greatest common divisor; `gcd(0, 0) = 0`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!(Int::from(-12).gcd(&Int::from(18)), Int::from(6));
    /// ```
    pub fn gcd(&self, other: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0) {
            return Int::from(i128::from(gcd_u64(a.unsigned_abs(), b.unsigned_abs())));
        }
        if self.is_zero() {
            return other.abs();
        }
        if other.is_zero() {
            return self.abs();
        }
        let g: UBig = self.to_big().gcd(other.to_big());
        Int::from(IBig::from(g))
    }

    /// The non-negative least common multiple; zero if one of them is.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!(Int::from(-4).lcm(&Int::from(6)), Int::from(12));
    /// ```
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        (self.div_exact(&self.gcd(other)) * other).abs()
    }

    /// The largest integer not above `self / d`. Panics if `d` is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!(Int::from(-7).div_floor(&Int::from(2)), Int::from(-4));
    /// ```
    pub fn div_floor(&self, d: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &d.0) {
            let (a, b) = (i128::from(*a), i128::from(*b));
            let q = a / b;
            return Int::from(if a % b != 0 && ((a < 0) != (b < 0)) { q - 1 } else { q });
        }
        let (a, b) = (self.to_big(), d.to_big());
        let q = &a / &b;
        let r = &a - &q * &b;
        if r != IBig::ZERO && ((r < IBig::ZERO) != (b < IBig::ZERO)) {
            Int::from(q - IBig::ONE)
        } else {
            Int::from(q)
        }
    }

    /// The smallest integer not below `self / d`. Panics if `d` is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!(Int::from(-7).div_ceil(&Int::from(2)), Int::from(-3));
    /// ```
    pub fn div_ceil(&self, d: &Int) -> Int {
        -(-self).div_floor(d)
    }

    /// The remainder that belongs to [`Int::div_floor`]: it has the sign of `d`. Panics if `d` is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!(Int::from(-7).rem_floor(&Int::from(3)), Int::from(2));
    /// ```
    pub fn rem_floor(&self, d: &Int) -> Int {
        self - &(self.div_floor(d) * d)
    }

    /// `self / d` where `d` is known to divide `self`. Panics if `d` is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert_eq!(Int::from(-12).div_exact(&Int::from(4)), Int::from(-3));
    /// ```
    pub fn div_exact(&self, d: &Int) -> Int {
        debug_assert!(self.rem_floor(d).is_zero());
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &d.0) {
            if let Some(q) = a.checked_div(*b) {
                return Int::new(q);
            }
        }
        Int::from(self.to_big() / d.to_big())
    }

    /// Whether `self` divides `other` (zero divides only zero).
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Int;
    /// assert!(Int::from(4).divides(&Int::from(-12)) && !Int::from(4).divides(&Int::from(6)));
    /// ```
    pub fn divides(&self, other: &Int) -> bool {
        if self.is_zero() {
            other.is_zero()
        } else {
            other.rem_floor(self).is_zero()
        }
    }
}

/// Greatest common divisor of machine words.
#[inline]
pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

impl Default for Int {
    fn default() -> Self {
        Int::ZERO
    }
}

impl From<i64> for Int {
    fn from(v: i64) -> Self {
        Int(Repr::Small(v))
    }
}

impl From<i32> for Int {
    fn from(v: i32) -> Self {
        Int(Repr::Small(i64::from(v)))
    }
}

impl From<u32> for Int {
    fn from(v: u32) -> Self {
        Int(Repr::Small(i64::from(v)))
    }
}

impl From<u64> for Int {
    fn from(v: u64) -> Self {
        Int::from(i128::from(v))
    }
}

impl From<i128> for Int {
    fn from(v: i128) -> Self {
        match i64::try_from(v) {
            Ok(s) => Int(Repr::Small(s)),
            Err(_) => Int(Repr::Big(Box::new(IBig::from(v)))),
        }
    }
}

impl From<IBig> for Int {
    fn from(v: IBig) -> Self {
        match i64::try_from(&v) {
            Ok(s) => Int(Repr::Small(s)),
            Err(_) => Int(Repr::Big(Box::new(v))),
        }
    }
}

impl FromStr for Int {
    type Err = String;

    /// Reads an optional sign and decimal digits.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        if let Ok(v) = s.parse::<i64>() {
            return Ok(Int::from(v));
        }
        IBig::from_str(s).map(Int::from).map_err(|_| format!("`{s}` is not an integer"))
    }
}

impl PartialEq for Int {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a == b,
            (Repr::Big(a), Repr::Big(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Int {}

impl Hash for Int {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Small(a) => a.hash(state),
            Repr::Big(a) => a.hash(state),
        }
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            // A big value is beyond every small one, on the side of its sign.
            (Repr::Big(_), Repr::Small(_)) => self.signum().cmp(&0),
            (Repr::Small(_), Repr::Big(_)) => 0.cmp(&other.signum()),
        }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(v) => fmt::Display::fmt(v, f),
            Repr::Big(b) => fmt::Display::fmt(&**b, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! binary_op {
    ($trait:ident, $method:ident, $checked:ident) => {
        impl $trait<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, rhs: &Int) -> Int {
                if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &rhs.0) {
                    if let Some(v) = a.$checked(*b) {
                        return Int(Repr::Small(v));
                    }
                }
                Int::from((self.to_big()).$method(rhs.to_big()))
            }
        }
        impl $trait<Int> for Int {
            type Output = Int;
            #[inline]
            fn $method(self, rhs: Int) -> Int {
                (&self).$method(&rhs)
            }
        }
        impl $trait<&Int> for Int {
            type Output = Int;
            #[inline]
            fn $method(self, rhs: &Int) -> Int {
                (&self).$method(rhs)
            }
        }
        impl $trait<Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, rhs: Int) -> Int {
                self.$method(&rhs)
            }
        }
    };
}

binary_op!(Add, add, checked_add);
binary_op!(Sub, sub, checked_sub);
binary_op!(Mul, mul, checked_mul);

impl Neg for &Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        match &self.0 {
            Repr::Small(v) => match v.checked_neg() {
                Some(n) => Int(Repr::Small(n)),
                None => Int::from(-i128::from(*v)),
            },
            Repr::Big(b) => Int::from(-(**b).clone()),
        }
    }
}

impl Neg for Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        -&self
    }
}

impl AddAssign<&Int> for Int {
    #[inline]
    fn add_assign(&mut self, rhs: &Int) {
        *self = &*self + rhs;
    }
}

impl SubAssign<&Int> for Int {
    #[inline]
    fn sub_assign(&mut self, rhs: &Int) {
        *self = &*self - rhs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near_edge() -> impl Strategy<Value = i128> {
        prop_oneof![
            -50i128..50,
            any::<i64>().prop_map(i128::from),
            (-3i128..=3).prop_map(|d| i128::from(i64::MAX) + d),
            (-3i128..=3).prop_map(|d| i128::from(i64::MIN) + d)
        ]
    }

    proptest! {
        #[test]
        fn agrees_with_i128(a in near_edge(), b in near_edge()) {
            let (x, y) = (Int::from(a), Int::from(b));
            prop_assert_eq!(&x + &y, Int::from(a + b));
            prop_assert_eq!(&x - &y, Int::from(a - b));
            prop_assert_eq!(-&x, Int::from(-a));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            if let Some(p) = a.checked_mul(b) {
                prop_assert_eq!(&x * &y, Int::from(p));
                prop_assert_eq!((&x * &y).to_i128(), Some(p));
            }
            if b != 0 {
                prop_assert_eq!(x.div_floor(&y), Int::from(a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)));
                prop_assert_eq!(x.div_floor(&y) * &y + x.rem_floor(&y), x.clone());
                prop_assert_eq!(x.div_ceil(&y), if x.rem_floor(&y).is_zero() { x.div_floor(&y) } else { x.div_floor(&y) + Int::ONE });
            }
            let g = x.gcd(&y);
            prop_assert!(g.divides(&x) && g.divides(&y));
        }

        #[test]
        fn text_round_trip(a in any::<i128>()) {
            let x = Int::from(a);
            prop_assert_eq!(x.to_string().parse::<Int>().ok(), Some(x));
        }
    }

    #[test]
    fn extremes() {
        let min = Int::from(i64::MIN);
        assert_eq!((-&min).to_string(), "9223372036854775808");
        assert_eq!(-(-&min), min);
        assert_eq!(min.gcd(&min), -&min);
        assert_eq!(min.div_exact(&Int::MINUS_ONE), -&min);
        assert_eq!(Int::from(7).div_ceil(&Int::from(2)), Int::from(4));
        assert_eq!(Int::from(-7).div_ceil(&Int::from(2)), Int::from(-3));
    }
}
