//! Values with an infinitesimal part, so that `x < c` is `x ≤ c - ε`.

use super::num::Num;
use plumb_num::Int;
use std::cmp::Ordering;
use std::ops::{Add, Neg, Sub};

/// `real + infinitesimal·ε` with `ε` positive and below every positive rational.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    real: Num,
    /// Absent where it is zero: integers have none.
    infinitesimal: Option<Box<Num>>,
}

impl Value {
    pub(crate) const ZERO: Value = Value { real: Num::ZERO, infinitesimal: None };

    #[inline]
    pub(crate) fn new(real: Num, infinitesimal: Num) -> Value {
        Value { real, infinitesimal: if infinitesimal.is_zero() { None } else { Some(Box::new(infinitesimal)) } }
    }

    #[inline]
    pub(crate) fn real(&self) -> &Num {
        &self.real
    }

    #[inline]
    pub(crate) fn infinitesimal(&self) -> &Num {
        self.infinitesimal.as_deref().unwrap_or(&Num::ZERO)
    }

    /// The value, if it is an integer of one word.
    #[inline]
    pub(crate) fn to_word(&self) -> Option<i64> {
        match (&self.real, &self.infinitesimal) {
            (Num::Small(n, 1), None) => Some(*n),
            _ => None,
        }
    }

    /// Whether it is an integer, without infinitesimal part.
    #[inline]
    pub(crate) fn is_integer(&self) -> bool {
        self.infinitesimal.is_none() && self.real.is_integer()
    }

    /// `self · a / b`; `b` is not zero.
    #[inline]
    pub(crate) fn scaled(&self, a: &Int, b: &Int) -> Value {
        if a.is_zero() {
            return Value::ZERO;
        }
        Value { real: self.real.scaled(a, b), infinitesimal: self.infinitesimal.as_ref().map(|e| Box::new(e.scaled(a, b))) }
    }

    pub(crate) fn signum(&self) -> i32 {
        match self.real.signum() {
            0 => self.infinitesimal().signum(),
            s => s,
        }
    }
}

impl From<Num> for Value {
    fn from(real: Num) -> Value {
        Value { real, infinitesimal: None }
    }
}

impl PartialOrd for Value {
    #[inline]
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Value) -> Ordering {
        let real = self.real.cmp(&other.real);
        if real != Ordering::Equal || (self.infinitesimal.is_none() && other.infinitesimal.is_none()) {
            return real;
        }
        self.infinitesimal().cmp(other.infinitesimal())
    }
}

impl Add for &Value {
    type Output = Value;
    #[inline]
    fn add(self, rhs: &Value) -> Value {
        let real = &self.real + &rhs.real;
        if self.infinitesimal.is_none() && rhs.infinitesimal.is_none() {
            return Value { real, infinitesimal: None };
        }
        Value::new(real, self.infinitesimal() + rhs.infinitesimal())
    }
}

impl Neg for &Value {
    type Output = Value;
    #[inline]
    fn neg(self) -> Value {
        Value { real: -&self.real, infinitesimal: self.infinitesimal.as_ref().map(|e| Box::new(-&**e)) }
    }
}

impl Sub for &Value {
    type Output = Value;
    #[inline]
    fn sub(self, rhs: &Value) -> Value {
        self + &-rhs
    }
}
