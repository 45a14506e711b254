//! The lattice every abstract domain is.

use std::fmt::Debug;
use std::hash::Hash;

/// An abstract domain: a value that owns what elements share (parameters, managers), and the type of its elements, which
/// are plain data.
///
/// # Obligations
///
/// Write γ for the set of concrete states an element stands for. Every implementation promises, for all elements:
///
/// - `γ(bottom) = ∅` and `γ(top)` is everything.
/// - `leq` is a partial order up to `Eq`, and `leq(a, b)` implies `γ(a) ⊆ γ(b)`. It may answer `false` where inclusion
///   holds, but never `true` where it does not.
/// - `join(a, b)` is an upper bound and `meet(a, b)` includes `γ(a) ∩ γ(b)` and is below both in `leq`.
/// - `is_bottom(a)` implies `γ(a) = ∅`; the converse may fail where deciding it would be too expensive (a polyhedron
///   may have rational points but no integer ones).
/// - `Eq` and `Hash` are those of a canonical form where the domain has one: `leq` both ways implies `==`.
///
/// # Convergence
///
/// `widen(old, new)` is above both in `leq`, and for every sequence `n₀, n₁, …` the chain `w₀ = n₀`,
/// `wᵢ₊₁ = widen(wᵢ, join(wᵢ, nᵢ₊₁))` becomes stationary. Implementations may assume `leq(old, new)`; callers join first.
/// `narrow(old, new)` for `leq(new, old)` lies between them, and chains `wᵢ₊₁ = narrow(wᵢ, meet(wᵢ, nᵢ₊₁))` become stationary.
pub trait Lattice {
    /// The elements.
    type Elem: Clone + Debug + Eq + Hash + Send + Sync;

    /// The least element.
    fn bottom(&self) -> Self::Elem;

    /// The greatest element.
    fn top(&self) -> Self::Elem;

    /// Whether the element is known to stand for nothing.
    fn is_bottom(&self, a: &Self::Elem) -> bool;

    /// The order.
    fn leq(&self, a: &Self::Elem, b: &Self::Elem) -> bool;

    /// An upper bound; the least one where the domain has it.
    fn join(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem;

    /// A lower bound that keeps the common states; the greatest one where the domain has it.
    fn meet(&self, a: &Self::Elem, b: &Self::Elem) -> Self::Elem;

    /// The widening `old ∇ new`.
    fn widen(&self, old: &Self::Elem, new: &Self::Elem) -> Self::Elem;

    /// The narrowing `old Δ new`; keeping `old` is always a correct one.
    fn narrow(&self, old: &Self::Elem, _new: &Self::Elem) -> Self::Elem {
        old.clone()
    }

    /// Whether the element is the greatest one.
    fn is_top(&self, a: &Self::Elem) -> bool {
        *a == self.top()
    }
}
