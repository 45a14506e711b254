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
