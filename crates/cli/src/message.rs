//! What `plumb check` and its workers say to each other: one JSON value per line.

use plumb_cfa::{DataModel, Integers, Semantics, SignedOverflow};
use plumb_export::Report;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a worker is to do; on its standard input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The C files.
    pub files: Vec<String>,
    /// The functions whose call is the error; none for the default property.
    pub error_functions: Option<Vec<String>>,
    /// The `CHECK` lines.
    pub specification: String,
    /// The meaning of the program.
    pub meaning: Meaning,
    /// The configurations to run one after the other (or several at once); none to let the program decide.
    pub plan: Option<Vec<String>>,
    /// Which of them this worker runs.
    pub index: usize,
    /// How many run at once.
    pub jobs: usize,
    /// The time left for all of them.
    pub time: Duration,
    /// The process that asks.
    pub parent: u32,
    /// The memory limit in bytes.
    pub memory: u64,
    /// Whether a witness is wanted; the command line to name in it.
    pub witness: Option<String>,
    /// The name of the test's file, if one is wanted.
    pub test: Option<String>,
}

/// [`Semantics`] on the wire.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Meaning {
    pub lp64: bool,
    pub assume_no_overflow: bool,
    pub ideal: bool,
    pub malloc_may_fail: bool,
}

impl From<Semantics> for Meaning {
    fn from(s: Semantics) -> Meaning {
        Meaning {
            lp64: s.model == DataModel::Lp64,
            assume_no_overflow: s.signed_overflow == SignedOverflow::Assume,
            ideal: s.integers == Integers::Ideal,
            malloc_may_fail: s.malloc_may_fail,
        }
    }
}

impl From<Meaning> for Semantics {
    fn from(m: Meaning) -> Semantics {
        Semantics {
            model: if m.lp64 { DataModel::Lp64 } else { DataModel::Ilp32 },
            signed_overflow: if m.assume_no_overflow { SignedOverflow::Assume } else { SignedOverflow::Wrap },
            integers: if m.ideal { Integers::Ideal } else { Integers::Machine },
            malloc_may_fail: m.malloc_may_fail,
        }
    }
}

/// What a worker says; on its standard output.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Message {
    /// The configurations of the default strategy for this program.
    Plan(Vec<String>),
    /// What it is doing.
    Progress(String),
    /// The input is not a C program; a located message.
    Invalid(String),
    /// The answer; the last message.
    Result(Box<Answered>),
}

/// An answer and the files that go with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answered {
    /// The explanation.
    pub report: Report,
    /// The witness.
    pub witness: Option<String>,
    /// The test, or why there is none.
    pub test: Option<Result<String, String>>,
}

/// The time that one of `total` configurations gets from what is left, when `index` were started before it.
pub fn share(left: Duration, index: usize, total: usize, jobs: usize) -> Duration {
    let rounds = total.saturating_sub(index).div_ceil(jobs.max(1)).max(1);
    left / u32::try_from(rounds).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_use_up_the_time() {
        let left = Duration::from_secs(12);
        assert_eq!(share(left, 0, 3, 1), Duration::from_secs(4));
        assert_eq!(share(left, 2, 3, 1), left);
        assert_eq!(share(left, 0, 3, 4), left);
        assert_eq!(share(left, 5, 3, 1), left);
    }
}
