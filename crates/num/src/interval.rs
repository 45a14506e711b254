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
    pub const FULL: Interval = Interval { lo: None, hi: None };

    /// The canonical empty interval, `[1, 0]`.
    pub fn empty() -> Interval {
        Interval { lo: Some(Int::ONE), hi: Some(Int::ZERO) }
    }

    /// `[lo, hi]`.
    pub fn new(lo: impl Into<Int>, hi: impl Into<Int>) -> Interval {
        Interval { lo: Some(lo.into()), hi: Some(hi.into()) }
    }

    /// Whether no integer is inside.
    pub fn is_empty(&self) -> bool {
        matches!((&self.lo, &self.hi), (Some(l), Some(h)) if l > h)
    }

    /// Whether `v` is inside.
    pub fn contains(&self, v: &Int) -> bool {
        self.lo.as_ref().is_none_or(|l| l <= v) && self.hi.as_ref().is_none_or(|h| v <= h)
    }

    /// `[v, v]`.
    pub fn point(v: Int) -> Interval {
        Interval { lo: Some(v.clone()), hi: Some(v) }
    }

    /// The only integer inside, if there is exactly one.
    pub fn as_point(&self) -> Option<&Int> {
        if self.lo == self.hi {
            self.lo.as_ref()
        } else {
            None
        }
    }

    /// Whether both ends are infinite.
    pub fn is_full(&self) -> bool {
        self.lo.is_none() && self.hi.is_none()
    }

    /// Whether every integer of `self` is in `other`.
    pub fn is_subset(&self, other: &Interval) -> bool {
        self.is_empty() || (not_above(&other.lo, &self.lo) && not_below(&other.hi, &self.hi))
    }

    /// The integers of both.
    pub fn intersection(&self, other: &Interval) -> Interval {
        let lo = if not_above(&self.lo, &other.lo) { &other.lo } else { &self.lo };
        let hi = if not_below(&self.hi, &other.hi) { &other.hi } else { &self.hi };
        Interval { lo: lo.clone(), hi: hi.clone() }
    }

    /// The smallest interval around both.
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
