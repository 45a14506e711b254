//! How long the operations of the domain take (Table IV of the paper).

use std::cell::Cell;
use std::time::{Duration, Instant};

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
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
pub struct Timing {
    spent: [Cell<Duration>; 4],
    full: Cell<bool>,
}

impl Timing {
    /// Measures an operation.
    pub fn of<T>(&self, part: Part, operation: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let out = operation();
        let cell = &self.spent[part as usize];
        cell.set(cell.get() + start.elapsed());
        out
    }

    /// Diagrams have become too large.
    pub fn full(&self) {
        self.full.set(true);
    }

    /// Whether they have.
    pub fn was_full(&self) -> bool {
        self.full.get()
    }

    /// The times by name.
    pub fn figures(&self) -> [(&'static str, Duration); 4] {
        let named = |name: &'static str, part: Part| (name, self.spent[part as usize].get());
        [
            named("gamma seconds", Part::Gamma),
            named("join seconds", Part::Join),
            named("transformer seconds", Part::Post),
            named("apply seconds", Part::Apply),
        ]
    }
}
