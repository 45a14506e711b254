//! What a configuration achieved on a set.

use crate::record::Record;
use crate::set::Task;

/// Counts over the records of one configuration.
#[derive(Default, Debug, PartialEq)]
pub struct Tally {
    /// Proved safe, rightly.
    pub safe: usize,
    /// Refuted, rightly.
    pub unsafe_: usize,
    /// Against the expected verdict.
    pub wrong: usize,
    /// Claims whose certificate was refused.
    pub rejected: usize,
    /// CPU time of all runs.
    pub seconds: f64,
}

impl Tally {
    /// Of records that belong to these tasks.
    pub fn of(records: &[Record], tasks: &[Task]) -> Tally {
        let mut tally = Tally::default();
        for (r, t) in records.iter().zip(tasks) {
            tally.seconds += r.seconds;
            tally.rejected += usize::from(r.rejected());
            match (r.verdict.as_str(), t.safe) {
                ("true", true) => tally.safe += 1,
                ("false", false) => tally.unsafe_ += 1,
                ("unknown", _) => {}
                _ => tally.wrong += 1,
            }
        }
        tally
    }

    /// Right answers.
    pub fn solved(&self) -> usize {
        self.safe + self.unsafe_
    }
}
