//! Linear expressions and constraints over dimensions: the language every domain speaks.

mod cons;
mod expr;

pub use cons::{ConsKind, LinCons};
pub use expr::LinExpr;

use std::collections::BTreeMap;
use std::fmt;

use crate::int::Int;

/// A dimension of the space ℤ^ω: the index of an integer variable.
///
/// Elements have no environment. A dimension that an element never mentions is unconstrained in it, so adding a dimension
/// costs nothing and two elements are always over the same space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dim(pub u32);

impl Dim {
    /// The index.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(plumb_num::Dim(3).index(), 3);
    /// ```
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An integer point; a dimension that is absent has the value zero.
pub type Point = BTreeMap<Dim, Int>;
