//! Cuts: which side a variable is on.

use crate::linear::NumVar;
use crate::lit::BoolVar;
use crate::proof::{Atom, Meaning, Part, Proof};

/// A set of parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PartSet {
    words: Vec<u64>,
}

impl PartSet {
    /// The parts `0..n`.
    pub fn below(n: u32) -> PartSet {
        (0..n).map(Part).collect()
    }

    /// Whether `part` is one of them.
    #[inline]
    pub fn contains(&self, part: Part) -> bool {
        self.words.get(part.0 as usize / 64).is_some_and(|w| w >> (part.0 % 64) & 1 == 1)
    }

    /// Adds a part.
    pub fn insert(&mut self, part: Part) {
        let word = part.0 as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (part.0 % 64);
    }

    /// Adds the parts of another set.
    pub fn extend_from(&mut self, other: &PartSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (w, o) in self.words.iter_mut().zip(&other.words) {
            *w |= o;
        }
    }

    /// Whether all of them are in `other`.
    pub fn is_subset(&self, other: &PartSet) -> bool {
        self.words.iter().enumerate().all(|(i, w)| w & !other.words.get(i).copied().unwrap_or(0) == 0)
    }

    /// Whether none of them is in `other`.
    pub fn is_disjoint(&self, other: &PartSet) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }
}

impl FromIterator<Part> for PartSet {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> PartSet {
        let mut set = PartSet::default();
        parts.into_iter().for_each(|p| set.insert(p));
        set
    }
}

/// Where something occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// In A alone.
    A,
    /// In B alone.
    B,
    /// In both.
    Shared,
}

impl Side {
    /// Whether A has it.
    pub fn in_a(self) -> bool {
        self != Side::B
    }

    /// Whether B has it.
    pub fn in_b(self) -> bool {
        self != Side::A
    }

    fn of(in_a: bool, in_b: bool) -> Option<Side> {
        match (in_a, in_b) {
            (true, true) => Some(Side::Shared),
            (true, false) => Some(Side::A),
            (false, true) => Some(Side::B),
            (false, false) => None,
        }
    }
}

/// The parts of A, and where the variables of a proof are with respect to it.
pub struct Cut<'p> {
    proof: &'p Proof,
    a: &'p PartSet,
}

impl<'p> Cut<'p> {
    /// The cut of `proof` between `a` and the other parts.
    pub fn new(proof: &'p Proof, a: &'p PartSet) -> Cut<'p> {
        Cut { proof, a }
    }

    /// The parts of A.
    pub fn a(&self) -> &PartSet {
        self.a
    }

    fn side_of(&self, parts: &[Part]) -> Option<Side> {
        // In a sequence of cuts, the first and the last part mostly settle it.
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return None };
        let ends = (self.a.contains(*first), self.a.contains(*last));
        let mixed = ends.0 != ends.1 || parts.iter().any(|p| self.a.contains(*p) != ends.0);
        Side::of(mixed || ends.0, mixed || !ends.0)
    }

    /// Where a numeric variable occurs; nothing if it occurs nowhere.
    pub fn number(&self, x: NumVar) -> Option<Side> {
        self.side_of(&self.proof.numbers[x.index()].parts)
    }

    /// Where a Boolean variable occurs; nothing if it is an atom that neither side has all variables of.
    pub fn boolean(&self, var: BoolVar) -> Option<Side> {
        let meaning = &self.proof.booleans[var.index()];
        self.side_of(&meaning.parts).or_else(|| self.made_up(meaning))
    }

    /// An atom without a part of its own belongs to the sides that have all of its variables.
    fn made_up(&self, meaning: &Meaning) -> Option<Side> {
        let Atom::LessEq(t) = &meaning.atom else { return Some(Side::B) };
        let on = |f: fn(Side) -> bool| t.terms().iter().all(|(x, _)| self.number(*x).is_some_and(f));
        Side::of(on(Side::in_a), on(Side::in_b))
    }
}
