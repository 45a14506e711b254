//! Upper bounds with infinity, in three sizes.
//!
//! A matrix holds `i64` while every finite bound is at most 2⁵⁰ in magnitude, `i128` up to 2¹¹⁰, and exact big integers beyond.
//! The gap between the limit and the word is what makes unchecked additions in the inner loops exact: closure adds at most
//! one bound per node of a path, so with up to 2⁹ variables no sum of finite bounds reaches 2⁶¹, and everything from there
//! up is infinity (2⁶², less what finite bounds were added to it).

use std::fmt::Debug;
use std::hash::Hash;

use crate::int::Int;

/// An upper bound: an integer or +∞.
pub(crate) trait Bound: Clone + Ord + Hash + Debug + Send + Sync {
    /// +∞.
    const INF: Self;
    /// Zero.
    const ZERO: Self;

    fn is_inf(&self) -> bool;
    /// Whether the value is within the limit of this size; infinity is.
    fn fits(&self) -> bool;
    /// The sum where at most one side is infinite; a sum with infinity is infinite but not always equal to `INF`.
    fn plus(&self, other: &Self) -> Self;
    /// `⌊self/2⌋`; infinity stays.
    fn half(&self) -> Self;
    /// The bound of a finite integer, if it is within the limit.
    fn from_int(v: &Int) -> Option<Self>;
    /// The integer, or `None` for infinity.
    fn to_int(&self) -> Option<Int>;

    /// The bound of the same value from the smallest size.
    fn from_small(v: i64) -> Self;

    /// The sum, normalised.
    fn sum(&self, other: &Self) -> Self {
        if self.is_inf() || other.is_inf() {
            Self::INF
        } else {
            self.plus(other)
        }
    }
}

macro_rules! machine_bound {
    ($t:ty, $limit:expr, $word:expr) => {
        impl Bound for $t {
            const INF: $t = 1 << $word;
            const ZERO: $t = 0;

            #[inline]
            fn is_inf(&self) -> bool {
                *self >= 1 << ($word - 1)
            }

            #[inline]
            fn fits(&self) -> bool {
                *self == Self::INF || (-(1 << $limit)..=1 << $limit).contains(self)
            }

            #[inline]
            fn plus(&self, other: &$t) -> $t {
                self + other
            }

            #[inline]
            fn half(&self) -> $t {
                if self.is_inf() {
                    Self::INF
                } else {
                    self >> 1
                }
            }

            fn from_int(v: &Int) -> Option<$t> {
                let v = <$t>::try_from(v.to_i128()?).ok()?;
                (-(1 << $limit)..=1 << $limit).contains(&v).then_some(v)
            }

            #[inline]
            fn from_small(v: i64) -> $t {
                if v.is_inf() {
                    Self::INF
                } else {
                    <$t>::from(v)
                }
            }

            fn to_int(&self) -> Option<Int> {
                (!self.is_inf()).then(|| Int::from(*self))
            }
        }
    };
}

machine_bound!(i64, 50, 62);
machine_bound!(i128, 110, 126);

/// A bound without a limit; `None` is infinity.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Big(pub(crate) Option<Int>);

impl PartialOrd for Big {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Big {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => a.cmp(b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        }
    }
}

impl Bound for Big {
    const INF: Big = Big(None);
    const ZERO: Big = Big(Some(Int::ZERO));

    fn is_inf(&self) -> bool {
        self.0.is_none()
    }

    fn fits(&self) -> bool {
        true
    }

    fn plus(&self, other: &Big) -> Big {
        Big(self.0.as_ref().and_then(|a| other.0.as_ref().map(|b| a + b)))
    }

    fn half(&self) -> Big {
        Big(self.0.as_ref().map(|a| a.div_floor(&Int::new(2))))
    }

    fn from_int(v: &Int) -> Option<Big> {
        Some(Big(Some(v.clone())))
    }

    fn from_small(v: i64) -> Big {
        Big((!v.is_inf()).then(|| Int::from(v)))
    }

    fn to_int(&self) -> Option<Int> {
        self.0.clone()
    }
}
