//! Boolean variables and literals.

use std::fmt;
use std::ops::Not;

/// A Boolean variable: an input, a definition, or the name of a linear atom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoolVar(pub u32);

impl BoolVar {
    /// The index, for tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that says the variable is true.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that says the variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal of `var` that is true when `var` has the value `value`.
    #[inline]
    pub fn new(var: BoolVar, value: bool) -> Lit {
        Lit(var.0 << 1 | u32::from(!value))
    }

    /// The variable.
    #[inline]
    pub fn var(self) -> BoolVar {
        BoolVar(self.0 >> 1)
    }

    /// The value of the variable that makes the literal true.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The code `2·var + sign`, for tables.
    #[inline]
    pub fn code(self) -> usize {
        self.0 as usize
    }

    /// The code as it is stored in arenas of words.
    #[inline]
    pub(crate) fn to_word(self) -> u32 {
        self.0
    }

    /// The literal with this code.
    #[inline]
    pub(crate) fn from_word(word: u32) -> Lit {
        Lit(word)
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.0 >> 1)
    }
}
