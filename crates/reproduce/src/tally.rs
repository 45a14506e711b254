//! What a configuration achieved on a set.

use crate::record::Record;
use crate::set::Task;

/// The tasks whose listed verdict plumb contradicts, with the evidence.
const DISPUTED: &str = include_str!("../../../docs/disputed-tasks.md");

/// Whether the listed verdict of a task is contradicted with evidence that everybody can check.
pub fn is_disputed(task: &Task) -> bool {
    let listed = format!("| `{}` |", task.path);
    DISPUTED.lines().any(|l| l.starts_with(&listed))
}

/// Counts over the records of one configuration.
#[derive(Default, Debug, PartialEq)]
pub struct Tally {
    /// Proved safe, rightly.
    pub safe: usize,
    /// Refuted, rightly.
    pub unsafe_: usize,
    /// Against the expected verdict, and not disputed.
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
                _ if is_disputed(t) => {}
                _ => tally.wrong += 1,
            }
        }
        tally
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Tally) -> Tally {
        Tally {
            safe: self.safe + other.safe,
            unsafe_: self.unsafe_ + other.unsafe_,
            wrong: self.wrong + other.wrong,
            rejected: self.rejected + other.rejected,
            seconds: self.seconds + other.seconds,
        }
    }

    /// Right answers.
    pub fn solved(&self) -> usize {
        self.safe + self.unsafe_
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_disputed_is_neither_right_nor_wrong() {
        let record = |verdict: &str| Record { verdict: verdict.into(), ..Record::default() };
        let task = |path: &str| Task::listed(path, true, "ILP32");
        let tasks = [task("verifythis/tree_max.c"), task("verifythis/other.c")];
        let tally = Tally::of(&[record("false"), record("false")], &tasks);
        assert_eq!((tally.wrong, tally.solved()), (1, 0));
    }

    #[test]
    fn sums_count_everything() {
        let one = Tally { safe: 1, unsafe_: 2, wrong: 3, rejected: 4, seconds: 0.5 };
        let both = one.plus(&Tally { safe: 10, unsafe_: 20, wrong: 30, rejected: 40, seconds: 1.0 });
        assert_eq!(both, Tally { safe: 11, unsafe_: 22, wrong: 33, rejected: 44, seconds: 1.5 });
        assert_eq!(both.solved(), 33);
    }
}
