//! Exact rationals over [`Int`].

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::int::Int;

/// A rational number in lowest terms with a positive denominator.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rat {
    num: Int,
    den: Int,
}

impl Rat {
    /// Zero.
    pub const ZERO: Rat = Rat { num: Int::ZERO, den: Int::ONE };
    /// One.
    pub const ONE: Rat = Rat { num: Int::ONE, den: Int::ONE };

    /// `num / den` in lowest terms. Panics if `den` is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Rat;
    /// assert_eq!(Rat::new(6.into(), (-4).into()).to_string(), "-3/2");
    /// ```
    pub fn new(num: Int, den: Int) -> Rat {
        assert!(!den.is_zero(), "a rational needs a non-zero denominator");
        let g = num.gcd(&den);
        let g = if den.is_negative() { -g } else { g };
        if g.is_one() {
            Rat { num, den }
        } else {
            Rat { num: num.div_exact(&g), den: den.div_exact(&g) }
        }
    }

    /// The numerator; it carries the sign.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Rat;
    /// assert_eq!(Rat::new(6.into(), (-4).into()).num(), &(-3).into());
    /// ```
    pub fn num(&self) -> &Int {
        &self.num
    }

    /// The denominator; positive.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Rat;
    /// assert_eq!(Rat::new(6.into(), (-4).into()).den(), &2.into());
    /// ```
    pub fn den(&self) -> &Int {
        &self.den
    }

    /// Whether the value is an integer.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Rat;
    /// assert!(Rat::new(6.into(), 3.into()).is_integer() && !Rat::new(6.into(), 4.into()).is_integer());
    /// ```
    pub fn is_integer(&self) -> bool {
        self.den.is_one()
    }

    /// Whether the value is zero.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Rat;
    /// assert!(Rat::new(0.into(), 3.into()).is_zero() && !Rat::new(1.into(), 3.into()).is_zero());
    /// ```
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// -1, 0 or 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Rat;
    /// assert_eq!(Rat::new(1.into(), (-3).into()).signum(), -1);
    /// ```
    pub fn signum(&self) -> i32 {
        self.num.signum()
    }

    /// The largest integer not above the value.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Rat;
    /// assert_eq!(Rat::new((-7).into(), 2.into()).floor(), (-4).into());
    /// ```
    pub fn floor(&self) -> Int {
        self.num.div_floor(&self.den)
    }

    /// The smallest integer not below the value.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Rat;
    /// assert_eq!(Rat::new((-7).into(), 2.into()).ceil(), (-3).into());
    /// ```
    pub fn ceil(&self) -> Int {
        self.num.div_ceil(&self.den)
    }
}

impl From<Int> for Rat {
    fn from(num: Int) -> Self {
        Rat { num, den: Int::ONE }
    }
}

impl From<i64> for Rat {
    fn from(num: i64) -> Self {
        Rat::from(Int::from(num))
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rat {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.den == other.den {
            return self.num.cmp(&other.num);
        }
        (&self.num * &other.den).cmp(&(&other.num * &self.den))
    }
}

impl Add for &Rat {
    type Output = Rat;
    fn add(self, rhs: &Rat) -> Rat {
        if self.den.is_one() && rhs.den.is_one() {
            return Rat::from(&self.num + &rhs.num);
        }
        Rat::new(&self.num * &rhs.den + &rhs.num * &self.den, &self.den * &rhs.den)
    }
}

impl Sub for &Rat {
    type Output = Rat;
    fn sub(self, rhs: &Rat) -> Rat {
        self + &-rhs
    }
}

impl Mul for &Rat {
    type Output = Rat;
    fn mul(self, rhs: &Rat) -> Rat {
        Rat::new(&self.num * &rhs.num, &self.den * &rhs.den)
    }
}

impl Div for &Rat {
    type Output = Rat;
    /// Panics if `rhs` is zero.
    fn div(self, rhs: &Rat) -> Rat {
        Rat::new(&self.num * &rhs.den, &self.den * &rhs.num)
    }
}

impl Neg for &Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        Rat { num: -&self.num, den: self.den.clone() }
    }
}

impl fmt::Display for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den.is_one() {
            write!(f, "{}", self.num)
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn field_laws(a in -40i64..40, b in 1i64..20, c in -40i64..40, d in 1i64..20) {
            let (x, y) = (Rat::new(a.into(), b.into()), Rat::new(c.into(), d.into()));
            prop_assert_eq!(&(&x + &y) - &y, x.clone());
            prop_assert_eq!(x.cmp(&y), (a * d).cmp(&(c * b)));
            if c != 0 {
                prop_assert_eq!(&(&x * &y) / &y, x.clone());
            }
            prop_assert!(Rat::from(x.floor()) <= x && x <= Rat::from(x.ceil()));
            prop_assert!(x.den().is_positive() && x.num().gcd(x.den()).is_one());
        }
    }
}
