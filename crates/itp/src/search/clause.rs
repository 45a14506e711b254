//! Clauses in one arena of words.
//!
//! A clause is a header of three words and its literals. Word 0 holds length and flags; word 1 the number of decision levels (LBD, Audemard and
//! Simon 2009) of a learned clause, or for one that must be satisfied the place of a literal that was true when last looked at; word 2
//! the step of the log that derived it.

use super::log::LogId;
use crate::lit::Lit;

/// Where a clause begins in the arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ClauseRef(pub(crate) u32);

const HEADER: usize = 3;
const LENGTH: u32 = 5;
const USED: u32 = 3 << USED_SHIFT;
const USED_SHIFT: u32 = 3;
const DELETED: u32 = 1 << 2;

/// What a clause is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It must be satisfied: an input or a lemma that the theory asked to respect.
    Required,
    /// It is implied, and watched as long as it is useful.
    Learned,
    /// It is not watched; it is there to be a reason or a conflict.
    Reason,
}

/// The arena.
#[derive(Default)]
pub(crate) struct Clauses {
    words: Vec<u32>,
    wasted: usize,
}

impl Clauses {
    pub(crate) fn add(&mut self, lits: &[Lit], role: Role, lbd: u32, step: LogId) -> ClauseRef {
        let at = ClauseRef(self.words.len() as u32);
        self.words.push((lits.len() as u32) << LENGTH | role as u32);
        self.words.push(lbd);
        self.words.push(step.0);
        self.words.extend(lits.iter().map(|l| l.to_word()));
        at
    }

    #[inline]
    fn base(c: ClauseRef) -> usize {
        c.0 as usize
    }

    #[inline]
    pub(crate) fn len(&self, c: ClauseRef) -> usize {
        (self.words[Self::base(c)] >> LENGTH) as usize
    }

    #[inline]
    pub(crate) fn lit(&self, c: ClauseRef, i: usize) -> Lit {
        Lit::from_word(self.words[Self::base(c) + HEADER + i])
    }

    /// The literals, as words.
    #[inline]
    pub(crate) fn words(&self, c: ClauseRef) -> &[u32] {
        let base = Self::base(c);
        let len = (self.words[base] >> LENGTH) as usize;
        &self.words[base + HEADER..base + HEADER + len]
    }

    /// The literals, as words, to be reordered.
    #[inline]
    pub(crate) fn words_mut(&mut self, c: ClauseRef) -> &mut [u32] {
        let base = Self::base(c);
        let len = (self.words[base] >> LENGTH) as usize;
        &mut self.words[base + HEADER..base + HEADER + len]
    }

    pub(crate) fn lits(&self, c: ClauseRef) -> impl Iterator<Item = Lit> + '_ {
        self.words(c).iter().map(|&w| Lit::from_word(w))
    }

    #[inline]
    pub(crate) fn role(&self, c: ClauseRef) -> Role {
        match self.words[Self::base(c)] & 3 {
            0 => Role::Required,
            1 => Role::Learned,
            _ => Role::Reason,
        }
    }

    #[inline]
    pub(crate) fn is_deleted(&self, c: ClauseRef) -> bool {
        self.words[Self::base(c)] & DELETED != 0
    }

    pub(crate) fn delete(&mut self, c: ClauseRef) {
        debug_assert!(!self.is_deleted(c));
        self.words[Self::base(c)] |= DELETED;
        self.wasted += HEADER + self.len(c);
    }

    /// LBD of a learned clause, or the hint of a required one.
    #[inline]
    pub(crate) fn note(&self, c: ClauseRef) -> u32 {
        self.words[Self::base(c) + 1]
    }

    #[inline]
    pub(crate) fn set_note(&mut self, c: ClauseRef, note: u32) {
        self.words[Self::base(c) + 1] = note;
    }

    #[inline]
    pub(crate) fn step(&self, c: ClauseRef) -> LogId {
        LogId(self.words[Self::base(c) + 2])
    }

    #[inline]
    pub(crate) fn set_step(&mut self, c: ClauseRef, step: LogId) {
        self.words[Self::base(c) + 2] = step.0;
    }

    /// How many reductions the clause shall survive for having been used in a conflict.
    #[inline]
    pub(crate) fn used(&self, c: ClauseRef) -> u32 {
        (self.words[Self::base(c)] & USED) >> USED_SHIFT
    }

    #[inline]
    pub(crate) fn set_used(&mut self, c: ClauseRef, used: u32) {
        let word = &mut self.words[Self::base(c)];
        *word = *word & !USED | used << USED_SHIFT;
    }

    /// All clauses that are not deleted, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < self.words.len() {
                let c = ClauseRef(at as u32);
                at += HEADER + self.len(c);
                if !self.is_deleted(c) {
                    return Some(c);
                }
            }
            None
        })
    }

    /// Whether compaction would free a good part of the arena.
    pub(crate) fn is_wasteful(&self) -> bool {
        self.wasted * 4 > self.words.len()
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        self.words.capacity() * 4
    }

    /// Removes the deleted clauses. The old arena, returned, tells where each clause went ([`Moved`]).
    pub(crate) fn compact(&mut self) -> Moved {
        let mut words = Vec::with_capacity(self.words.len() - self.wasted);
        let mut at = 0;
        while at < self.words.len() {
            let len = HEADER + self.len(ClauseRef(at as u32));
            if self.words[at] & DELETED == 0 {
                let to = words.len() as u32;
                words.extend_from_slice(&self.words[at..at + len]);
                self.words[at + 1] = to;
            }
            at += len;
        }
        self.wasted = 0;
        Moved { old: std::mem::replace(&mut self.words, words) }
    }
}

/// Where clauses went in a compaction.
pub(crate) struct Moved {
    old: Vec<u32>,
}

impl Moved {
    /// The new place of a clause; nothing if it was deleted.
    pub(crate) fn to(&self, c: ClauseRef) -> Option<ClauseRef> {
        let base = Clauses::base(c);
        (self.old[base] & DELETED == 0).then(|| ClauseRef(self.old[base + 1]))
    }
}
