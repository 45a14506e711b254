//! How long a check may take, and what it answers.

/// The limits of one check.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Until when, and whether somebody cancelled.
    pub time: plumb_term::Budget,
    /// How many conflicts.
    pub conflicts: Option<u64>,
    /// How many steps of the theory ([`Theory::work`](crate::theory::Theory::work)).
    pub work: Option<u64>,
    /// How many bytes for clauses and the log of derivations.
    pub memory: Option<usize>,
}

impl Budget {
    /// No limits.
    pub fn unlimited() -> Budget {
        Budget::within(plumb_term::Budget::unlimited())
    }

    /// A limit in time only.
    pub fn within(time: plumb_term::Budget) -> Budget {
        Budget { time, conflicts: None, work: None, memory: None }
    }
}

/// What a check found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// It could not be decided.
    Unknown(Why),
}

/// Why a check was not decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The time was up.
    Time,
    /// There were too many conflicts.
    Conflicts,
    /// The memory was used up.
    Memory,
    /// The theory gave up.
    Theory,
}
