//! How long the operations of the domain take (Table IV of the paper).

use plumb_verdict::Notes;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Concretisation.
    Gamma,
    /// Joins, widenings and comparisons.
    Join,
    /// Making abstract transformers.
    Post,
    /// Applying them.
    Apply,
}

/// The times so far.
#[derive(Debug, Default)]
pub(crate) struct Timing {
    spent: [Cell<Duration>; 4],
    full: Cell<bool>,
}

impl Timing {
    /// Measures an operation.
    pub(crate) fn of<T>(&self, part: Part, operation: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let out = operation();
        let cell = &self.spent[part as usize];
        cell.set(cell.get() + start.elapsed());
        out
    }

    /// Diagrams have become too large.
    pub(crate) fn full(&self) {
        self.full.set(true);
    }

    /// Tells the times.
    pub(crate) fn tell(&self, notes: &mut Notes) {
        for (name, cell) in ["gamma seconds", "join seconds", "post seconds", "apply seconds"].iter().zip(&self.spent) {
            notes.figure(name, cell.get());
        }
        if self.full.get() {
            notes.remarks.push(plumb_numpred::Full.to_string());
        }
    }
}
