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

    /// The `n` for which these are the parts `0..n`, if there is one.
    pub fn prefix(&self) -> Option<u32> {
        let full = self.words.iter().take_while(|w| **w == u64::MAX).count();
        let next = self.words.get(full).copied().unwrap_or(0);
        let whole = next & next.wrapping_add(1) == 0 && self.words.iter().skip(full + 1).all(|w| *w == 0);
        whole.then(|| 64 * full as u32 + next.trailing_ones())
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

/// The first and the last part in which each variable occurs: enough to know its side at a cut before a part.
pub struct Spans {
    booleans: Vec<(u32, u32)>,
    numbers: Vec<(u32, u32)>,
}

impl Spans {
    /// The spans of a proof's variables.
    pub fn new(proof: &Proof) -> Spans {
        let of = |parts: &[Part]| Some((parts.first()?.0, parts.last()?.0));
        // What occurs nowhere is on neither side of any cut.
        let numbers: Vec<(u32, u32)> = proof.numbers.iter().map(|n| of(&n.parts).unwrap_or((u32::MAX, 0))).collect();
        let made_up = |atom: &Atom| match atom {
            Atom::Boolean => (u32::MAX, u32::MAX),
            // On the sides that have all of its variables.
            Atom::LessEq(t) => t.terms().iter().fold((0, u32::MAX), |(first, last), (x, _)| {
                let (f, l) = numbers[x.index()];
                (first.max(f), last.min(l))
            }),
        };
        let booleans = proof.booleans.iter().map(|m| of(&m.parts).unwrap_or_else(|| made_up(&m.atom))).collect();
        Spans { booleans, numbers }
    }

    /// The variable is in A at the cuts before parts beyond the first number, and in B at those up to the second.
    pub fn boolean(&self, var: BoolVar) -> (u32, u32) {
        self.booleans[var.index()]
    }
}

/// The parts of A, and where the variables of a proof are with respect to it.
pub struct Cut<'p> {
    proof: &'p Proof,
    a: &'p PartSet,
    spans: &'p Spans,
    before: Option<u32>,
}

impl<'p> Cut<'p> {
    /// The cut of `proof` between `a` and the other parts.
    pub fn new(proof: &'p Proof, a: &'p PartSet, spans: &'p Spans) -> Cut<'p> {
        Cut { proof, a, spans, before: a.prefix() }
    }

    /// The parts of A.
    pub fn a(&self) -> &PartSet {
        self.a
    }

    /// The part before which the cut is made, if it is made between earlier and later parts.
    pub fn before(&self) -> Option<u32> {
        self.before
    }

    fn side_of(&self, parts: &[Part]) -> Option<Side> {
        let first = self.a.contains(*parts.first()?);
        let both = parts.iter().any(|p| self.a.contains(*p) != first);
        Side::of(both || first, both || !first)
    }

    /// Where a numeric variable occurs; nothing if it occurs nowhere.
    pub fn number(&self, x: NumVar) -> Option<Side> {
        if let Some(k) = self.before {
            let (first, last) = self.spans.numbers[x.index()];
            return Side::of(k > first, k <= last);
        }
        self.side_of(&self.proof.numbers[x.index()].parts)
    }

    /// Where a Boolean variable occurs; nothing if it is an atom that neither side has all variables of.
    pub fn boolean(&self, var: BoolVar) -> Option<Side> {
        if let Some(k) = self.before {
            let (first, last) = self.spans.boolean(var);
            return Side::of(k > first, k <= last);
        }
        let meaning = &self.proof.booleans[var.index()];
        self.side_of(&meaning.parts).or_else(|| self.made_up(meaning))
    }

    /// An atom without a part of its own belongs to the sides that have all of its variables.
    fn made_up(&self, meaning: &Meaning) -> Option<Side> {
        // A Boolean without a part is in no clause; it counts for B.
        let Atom::LessEq(t) = &meaning.atom else { return Some(Side::B) };
        let on = |f: fn(Side) -> bool| t.terms().iter().all(|(x, _)| self.number(*x).is_some_and(f));
        Side::of(on(Side::in_a), on(Side::in_b))
    }
}
