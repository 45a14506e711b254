//! The log of what was derived, and how: words in one arena, no allocation for each step.
//!
//! Records, by the kind in the low two bits of their first word (the rest is a length):
//! an input `[len, part, literals…]`, a lemma `[len, certificate, literals…]`, a chain `[len, first, (pivot, step)…]`. The clauses of chains are not
//! stored: [`super::refutation`] computes those it needs. When the log has grown, what no clause in use depends on is dropped.

use crate::lit::{BoolVar, Lit};
use crate::proof::{Certificate, Part};

/// Index of a record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LogId(pub(crate) u32);

impl LogId {
    /// Of no record: logging is off, or nothing was derived yet.
    pub(crate) const NONE: LogId = LogId(u32::MAX);
}

const INPUT: u32 = 0;
const LEMMA: u32 = 1;
const CHAIN: u32 = 2;

/// A record, decoded.
pub(crate) enum Record<'a> {
    /// A clause of a part.
    Input(Part, &'a [u32]),
    /// A lemma of the theory.
    Lemma(&'a Certificate, &'a [u32]),
    /// First step, then words pivot, step, pivot, step…
    Chain(LogId, &'a [u32]),
}

/// The log.
pub(crate) struct Log {
    enabled: bool,
    words: Vec<u32>,
    starts: Vec<u32>,
    certificates: Vec<Certificate>,
    chain: Vec<u32>,
    first_compaction: usize,
    compact_at: usize,
}

impl Log {
    pub(crate) fn new(enabled: bool, first_compaction: usize) -> Log {
        Log {
            enabled,
            words: Vec::new(),
            starts: Vec::new(),
            certificates: Vec::new(),
            chain: Vec::new(),
            compact_at: first_compaction,
            first_compaction,
        }
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled
    }

    fn open(&mut self, kind: u32, len: usize, second: u32) -> LogId {
        self.starts.push(self.words.len() as u32);
        self.words.push((len as u32) << 2 | kind);
        self.words.push(second);
        LogId(self.starts.len() as u32 - 1)
    }

    pub(crate) fn input(&mut self, part: Part, lits: &[Lit]) -> LogId {
        if !self.enabled {
            return LogId::NONE;
        }
        let id = self.open(INPUT, lits.len(), part.0);
        self.words.extend(lits.iter().map(|l| l.to_word()));
        id
    }

    pub(crate) fn lemma(&mut self, lits: &[Lit], certificate: Certificate) -> LogId {
        if !self.enabled {
            return LogId::NONE;
        }
        let id = self.open(LEMMA, lits.len(), self.certificates.len() as u32);
        self.certificates.push(certificate);
        self.words.extend(lits.iter().map(|l| l.to_word()));
        id
    }

    /// Begins a chain.
    #[inline]
    pub(crate) fn start(&mut self, first: LogId) {
        self.chain.clear();
        self.chain.push(first.0);
    }

    /// Resolves on `pivot` with `step`.
    #[inline]
    pub(crate) fn resolve(&mut self, pivot: BoolVar, step: LogId) {
        if self.enabled {
            debug_assert_ne!(step, LogId::NONE);
            self.chain.push(pivot.0);
            self.chain.push(step.0);
        }
    }

    /// Ends the chain; one without resolutions is its first step.
    pub(crate) fn finish(&mut self) -> LogId {
        if !self.enabled || self.chain.len() == 1 {
            return LogId(self.chain[0]);
        }
        let id = self.open(CHAIN, self.chain.len() - 1, self.chain[0]);
        self.words.extend_from_slice(&self.chain[1..]);
        id
    }

    pub(crate) fn record(&self, id: LogId) -> Record<'_> {
        let at = self.starts[id.0 as usize] as usize;
        let (head, second) = (self.words[at], self.words[at + 1]);
        let rest = &self.words[at + 2..at + 2 + (head >> 2) as usize];
        match head & 3 {
            INPUT => Record::Input(Part(second), rest),
            LEMMA => Record::Lemma(&self.certificates[second as usize], rest),
            _ => Record::Chain(LogId(second), rest),
        }
    }

    /// Marks what `roots` depend on, by index.
    pub(crate) fn reach(&self, roots: impl IntoIterator<Item = LogId>) -> Vec<bool> {
        let mut needed = vec![false; self.starts.len()];
        let mut top = 0;
        for root in roots {
            if root != LogId::NONE {
                needed[root.0 as usize] = true;
                top = top.max(root.0 as usize + 1);
            }
        }
        for i in (0..top).rev() {
            if needed[i] {
                if let Record::Chain(first, rest) = self.record(LogId(i as u32)) {
                    needed[first.0 as usize] = true;
                    for pair in rest.chunks_exact(2) {
                        needed[pair[1] as usize] = true;
                    }
                }
            }
        }
        needed
    }

    /// Whether the log has grown enough for a compaction.
    pub(crate) fn is_large(&self) -> bool {
        self.words.len() >= self.compact_at
    }

    /// Whether offsets are about to run out.
    pub(crate) fn is_full(&self) -> bool {
        self.words.len() > (u32::MAX / 2) as usize
    }

    /// Bytes held.
    pub(crate) fn memory(&self) -> usize {
        4 * (self.words.capacity() + self.starts.capacity()) + self.certificates.capacity() * 128
    }

    /// Keeps what `roots` depend on; the result says where each record went.
    pub(crate) fn compact(&mut self, roots: impl IntoIterator<Item = LogId>) -> Vec<LogId> {
        let needed = self.reach(roots);
        let mut to = vec![LogId::NONE; needed.len()];
        let mut smaller = Log::new(self.enabled, self.first_compaction);
        for (i, _) in needed.iter().enumerate().filter(|n| *n.1) {
            to[i] = match self.record(LogId(i as u32)) {
                Record::Input(part, lits) => {
                    let id = smaller.open(INPUT, lits.len(), part.0);
                    smaller.words.extend_from_slice(lits);
                    id
                }
                Record::Lemma(certificate, lits) => {
                    let id = smaller.open(LEMMA, lits.len(), smaller.certificates.len() as u32);
                    smaller.certificates.push(certificate.clone());
                    smaller.words.extend_from_slice(lits);
                    id
                }
                Record::Chain(first, rest) => {
                    let id = smaller.open(CHAIN, rest.len(), to[first.0 as usize].0);
                    smaller.words.extend(rest.chunks_exact(2).flat_map(|p| [p[0], to[p[1] as usize].0]));
                    id
                }
            };
        }
        smaller.compact_at = self.first_compaction.max(2 * smaller.words.len());
        *self = smaller;
        to
    }
}
