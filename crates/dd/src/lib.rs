//! Binary decision diagrams: Boolean functions as shared graphs, reduced and ordered (Bryant 1986).
//!
//! **Problem.** A set of states over Boolean variables is a Boolean function. In a reduced diagram over a fixed order of variables a function has one
//! node, so that equality is a comparison of numbers, and operations cost the product of sizes at most.
//!
//! **Contract.** A [`Manager`] owns all nodes; a [`Bdd`] is a number that has a meaning with its manager only. A variable is its *level*: smaller levels are
//! tested first. Nodes are never given back; an operation that would need more than the manager's limit says [`Full`], and the manager stays usable. Recursion is as
//! deep as functions are, at most [`MAX_LEVELS`] tests one after the other. A [`MultiManager`] has functions to any finite set of values in the same way.

mod manager;
mod multi;
mod ops;
mod sift;

pub use manager::{Bdd, Full, Manager, MAX_LEVELS};
pub use multi::{Multi, MultiManager, Test};
pub use sift::sift;
