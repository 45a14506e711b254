//! Unit propagation with two watched literals, blocking literals, and binary clauses inside the watches.

use super::clause::ClauseRef;
use super::trail::Reason;
use super::Search;
use crate::lit::Lit;

const BINARY: u32 = 1 << 31;

/// A clause to look at, unless the blocking literal is true. The other literal of a binary clause is its blocking literal.
#[derive(Clone, Copy)]
pub(crate) struct Watch {
    word: u32,
    blocker: Lit,
}

impl Watch {
    #[inline]
    pub(crate) fn new(c: ClauseRef, blocker: Lit, binary: bool) -> Watch {
        Watch { word: if binary { c.0 | BINARY } else { c.0 }, blocker }
    }

    #[inline]
    fn is_binary(self) -> bool {
        self.word & BINARY != 0
    }

    #[inline]
    pub(crate) fn clause(self) -> ClauseRef {
        ClauseRef(self.word & !BINARY)
    }

    /// The same watch for the clause at its new place.
    pub(crate) fn moved(self, to: ClauseRef) -> Watch {
        Watch::new(to, self.blocker, self.is_binary())
    }
}

impl<T> Search<T> {
    /// Watches the first two literals.
    pub(crate) fn attach(&mut self, c: ClauseRef) {
        let (a, b) = (self.clauses.lit(c, 0), self.clauses.lit(c, 1));
        let binary = self.clauses.len(c) == 2;
        self.watches[a.code()].push(Watch::new(c, b, binary));
        self.watches[b.code()].push(Watch::new(c, a, binary));
    }

    /// Propagates to a fixpoint or to a clause that is false.
    pub(crate) fn propagate(&mut self) -> Option<ClauseRef> {
        let mut conflict = None;
        while conflict.is_none() && self.head < self.trail.len() {
            let falsified = !self.trail.lit(self.head);
            self.head += 1;
            self.statistics.propagations += 1;
            let mut list = std::mem::take(&mut self.watches[falsified.code()]);
            conflict = self.visit(falsified, &mut list);
            self.watches[falsified.code()] = list;
        }
        conflict
    }

    /// Visits the clauses that watch a literal that became false; those that watch another one now leave the list.
    #[inline]
    fn visit(&mut self, falsified: Lit, list: &mut Vec<Watch>) -> Option<ClauseRef> {
        let (mut read, mut write) = (0, 0);
        let mut conflict = None;
        'watches: while read < list.len() {
            let watch = list[read];
            read += 1;
            let value = self.trail.value(watch.blocker);
            if value > 0 {
                list[write] = watch;
                write += 1;
                continue;
            }
            let c = watch.clause();
            let first = if watch.is_binary() {
                list[write] = watch;
                write += 1;
                watch.blocker
            } else {
                let lits = self.clauses.words_mut(c);
                if lits[0] == falsified.to_word() {
                    lits.swap(0, 1);
                }
                let first = Lit::from_word(lits[0]);
                let renewed = Watch::new(c, first, false);
                if self.trail.value(first) > 0 {
                    list[write] = renewed;
                    write += 1;
                    continue;
                }
                for k in 2..lits.len() {
                    let other = Lit::from_word(lits[k]);
                    if self.trail.value(other) >= 0 {
                        lits.swap(1, k);
                        self.watches[other.code()].push(renewed);
                        continue 'watches;
                    }
                }
                list[write] = renewed;
                write += 1;
                first
            };
            if self.trail.value(first) < 0 {
                conflict = Some(c);
                break;
            }
            self.trail.assign(first, Reason::clause(c));
        }
        if write < read {
            list.copy_within(read.., write);
            list.truncate(list.len() - (read - write));
        }
        conflict
    }
}
