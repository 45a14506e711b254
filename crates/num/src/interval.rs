//! Integer intervals with infinite ends: the answer to "what are the bounds of this expression?".

use std::fmt;

use crate::int::Int;

/// `[lo, hi]` over the integers; `None` is the infinity of that side. Empty iff both ends are finite and `lo > hi`.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Interval {
    /// The lower end, `None` for -∞.
    pub lo: Option<Int>,
    /// The upper end, `None` for +∞.
    pub hi: Option<Int>,
}

impl Interval {
    /// All integers.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert!(Interval::FULL.contains(&(-5).into()) && Interval::FULL.is_full());
    /// ```
    pub const FULL: Interval = Interval { lo: None, hi: None };

    /// The canonical empty interval, `[1, 0]`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert!(Interval::empty().is_empty() && !Interval::empty().contains(&0.into()));
    /// ```
    pub fn empty() -> Interval {
        Interval { lo: Some(Int::ONE), hi: Some(Int::ZERO) }
    }

    /// `[lo, hi]`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// let i = Interval::new(-1, 4);
    /// assert!(i.contains(&(-1).into()) && i.contains(&4.into()) && !i.contains(&5.into()));
    /// ```
    pub fn new(lo: impl Into<Int>, hi: impl Into<Int>) -> Interval {
        Interval { lo: Some(lo.into()), hi: Some(hi.into()) }
    }

    /// Whether no integer is inside.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert!(Interval::new(2, 1).is_empty() && !Interval::new(1, 1).is_empty() && !Interval::FULL.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        matches!((&self.lo, &self.hi), (Some(l), Some(h)) if l > h)
    }

    /// Whether `v` is inside.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// let natural = Interval { lo: Some(0.into()), hi: None };
    /// assert!(natural.contains(&(1i64 << 40).into()) && !natural.contains(&(-1).into()));
    /// ```
    pub fn contains(&self, v: &Int) -> bool {
        self.lo.as_ref().is_none_or(|l| l <= v) && self.hi.as_ref().is_none_or(|h| v <= h)
    }

    /// `[v, v]`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert_eq!(Interval::point(3.into()), Interval::new(3, 3));
    /// ```
    pub fn point(v: Int) -> Interval {
        Interval { lo: Some(v.clone()), hi: Some(v) }
    }

    /// The only integer inside, if there is exactly one.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert_eq!(Interval::new(3, 3).as_point(), Some(&3.into()));
    /// assert!(Interval::new(3, 4).as_point().is_none() && Interval::FULL.as_point().is_none());
    /// ```
    pub fn as_point(&self) -> Option<&Int> {
        if self.lo == self.hi {
            self.lo.as_ref()
        } else {
            None
        }
    }

    /// Whether both ends are infinite.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert!(Interval::FULL.is_full() && !Interval { lo: Some(0.into()), hi: None }.is_full());
    /// ```
    pub fn is_full(&self) -> bool {
        self.lo.is_none() && self.hi.is_none()
    }

    /// Whether every integer of `self` is in `other`.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert!(Interval::new(1, 2).is_subset(&Interval::new(0, 2)) && !Interval::new(0, 2).is_subset(&Interval::new(1, 2)));
    /// assert!(Interval::empty().is_subset(&Interval::new(5, 5)) && !Interval::FULL.is_subset(&Interval::new(5, 5)));
    /// ```
    pub fn is_subset(&self, other: &Interval) -> bool {
        self.is_empty() || (not_above(&other.lo, &self.lo) && not_below(&other.hi, &self.hi))
    }

    /// The integers of both.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert_eq!(Interval::new(0, 5).intersection(&Interval { lo: Some(3.into()), hi: None }), Interval::new(3, 5));
    /// assert!(Interval::new(0, 1).intersection(&Interval::new(2, 3)).is_empty());
    /// ```
    pub fn intersection(&self, other: &Interval) -> Interval {
        let lo = if not_above(&self.lo, &other.lo) { &other.lo } else { &self.lo };
        let hi = if not_below(&self.hi, &other.hi) { &other.hi } else { &self.hi };
        Interval { lo: lo.clone(), hi: hi.clone() }
    }

    /// The smallest interval around both.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert_eq!(Interval::new(0, 1).hull(&Interval::new(4, 5)), Interval::new(0, 5));
    /// assert_eq!(Interval::empty().hull(&Interval::new(4, 5)), Interval::new(4, 5));
    /// ```
    pub fn hull(&self, other: &Interval) -> Interval {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        let lo = if not_above(&self.lo, &other.lo) { &self.lo } else { &other.lo };
        let hi = if not_below(&self.hi, &other.hi) { &self.hi } else { &other.hi };
        Interval { lo: lo.clone(), hi: hi.clone() }
    }

    /// `{ a + k·b | a ∈ self, b ∈ other }`, for non-empty intervals.
    ///
    /// # Examples
    ///
    /// ```
    /// use plumb_num::Interval;
    /// assert_eq!(Interval::new(0, 1).plus_scaled(&Interval::new(4, 5), &(-2).into()), Interval::new(-10, -7));
    /// ```
    pub fn plus_scaled(&self, other: &Interval, k: &Int) -> Interval {
        let (lo, hi) = if k.is_negative() { (&other.hi, &other.lo) } else { (&other.lo, &other.hi) };
        let end = |a: &Option<Int>, b: &Option<Int>| match (a, b) {
            (a, _) if k.is_zero() => a.clone(),
            (Some(a), Some(b)) => Some(a + &(b * k)),
            _ => None,
        };
        Interval { lo: end(&self.lo, lo), hi: end(&self.hi, hi) }
    }
}

/// `a ≤ b` for lower ends.
fn not_above(a: &Option<Int>, b: &Option<Int>) -> bool {
    a.as_ref().is_none_or(|a| b.as_ref().is_some_and(|b| a <= b))
}

/// `a ≥ b` for upper ends.
fn not_below(a: &Option<Int>, b: &Option<Int>) -> bool {
    a.as_ref().is_none_or(|a| b.as_ref().is_some_and(|b| a >= b))
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.lo {
            Some(l) => write!(f, "[{l}, ")?,
            None => write!(f, "[-oo, ")?,
        }
        match &self.hi {
            Some(h) => write!(f, "{h}]"),
            None => write!(f, "+oo]"),
        }
    }
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
