//! Parts of an element that have not been brought into canonical form.
//!
//! An operation that works on one description leaves the other one for later: intersections pile up as [`Cuts`], hulls
//! and projections as [`Hull`]. *Settling* a part converts and minimises once, whatever has piled up, and is remembered in
//! the part, which clones of the element share.

use std::sync::Arc;

use super::block::Block;
use super::cuts::Cuts;
use super::hull::Hull;
use crate::linear::Dim;

/// A factor of an element over dimensions of its own, known by one description.
#[derive(Clone, Debug)]
pub enum Loose {
    /// Known by constraints; may be empty.
    Cuts(Arc<Cuts>),
    /// Known by generators; not empty.
    Hull(Arc<Hull>),
}

/// Dimensions from here on stand for quantified columns inside a part. An element that has one of its own is settled instead.
const FIRST_HIDDEN: u32 = u32::MAX - 31;

/// The most quantified columns of a part; every one of them makes all rows wider.
pub const MOST_HIDDEN: usize = 4;

/// Whether the dimension may stand for a quantified column.
pub fn is_hidden(d: Dim) -> bool {
    d.0 >= FIRST_HIDDEN
}

/// A name for one more quantified column besides `count` others.
pub fn hidden(count: usize) -> Dim {
    debug_assert!(count <= MOST_HIDDEN);
    Dim(FIRST_HIDDEN + count as u32)
}

impl From<Cuts> for Loose {
    fn from(c: Cuts) -> Loose {
        Loose::Cuts(Arc::new(c))
    }
}

impl From<Hull> for Loose {
    fn from(h: Hull) -> Loose {
        Loose::Hull(Arc::new(h))
    }
}

impl Loose {
    /// The dimensions it may constrain, sorted.
    pub fn dims(&self) -> &[Dim] {
        match self {
            Loose::Cuts(c) => c.dims(),
            Loose::Hull(h) => h.dims(),
        }
    }

    /// Whether one of `dims` is among its own.
    pub fn has_any(&self, dims: &[Dim]) -> bool {
        let own = self.dims();
        dims.iter().any(|d| own.binary_search(d).is_ok())
    }

    /// The blocks it is the product of, or `None` if it is empty.
    pub fn settle(&self) -> Option<&[Block]> {
        match self {
            Loose::Cuts(c) => c.settle(),
            Loose::Hull(h) => Some(h.settle()),
        }
    }

    /// The same if that is known already.
    pub fn settled(&self) -> Option<Option<&[Block]>> {
        match self {
            Loose::Cuts(c) => c.settled(),
            Loose::Hull(h) => h.settled().map(Some),
        }
    }

    /// Whether the two are the same object.
    pub fn is(&self, other: &Loose) -> bool {
        match (self, other) {
            (Loose::Cuts(a), Loose::Cuts(b)) => Arc::ptr_eq(a, b),
            (Loose::Hull(a), Loose::Hull(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}
