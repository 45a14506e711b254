//! Difference-bound matrices in general: what octagons and zones share.
//!
//! A [`Matrix`] holds upper bounds of one size; [`Dbm`] holds one in whichever size its numbers need.

mod bound;
mod sizes;
pub(crate) mod transport;

use std::fmt::Debug;
use std::hash::Hash;

pub(crate) use bound::Bound;
pub(crate) use sizes::{each, map, Dbm, Size};

/// A square arrangement of upper bounds over a number of variables.
pub(crate) trait Matrix<B: Bound>: Clone + Eq + Hash + Debug + Send + Sync {
    /// No constraint on `n` variables.
    fn top(n: usize) -> Self;
    /// The number of variables.
    fn len(&self) -> usize;
    /// Every stored entry, in a fixed order.
    fn cells(&self) -> &[B];
    /// The matrix of the entries that [`Matrix::cells`] gives.
    fn from_cells(n: usize, cells: Vec<B>) -> Self;
    /// The bound at a place.
    fn at(&self, i: usize, j: usize) -> &B;
    /// Lowers the bound at a place; nothing else changes.
    fn lower(&mut self, i: usize, j: usize, b: B);
    /// Closure of a closed matrix after lowering one bound. False if there is no integer solution.
    fn add(&mut self, i: usize, j: usize, b: &B) -> bool;
    /// Closure. False if there is no integer solution; the matrix is then meaningless.
    fn close(&mut self) -> bool;
}

/// A kind of matrix, for every size of bound.
pub(crate) trait Family: Clone + Eq + Hash + Debug + Send + Sync {
    /// The matrix of this kind with bounds of type `B`.
    type Of<B: Bound>: Matrix<B>;
}
