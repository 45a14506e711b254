//! What `plumb check` and its workers say to each other: one JSON value per line.

use plumb_cfa::{DataModel, Integers, Semantics, SignedOverflow};
use plumb_export::html::{Drawing, Drawings};
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
    /// An automaton that is woven into the program: its number in a specification.
    #[serde(default)]
    pub automaton: Option<Observed>,
    /// Whether an access out of an array's bounds is an error, too.
    #[serde(default)]
    pub bounds: bool,
    /// The text of a witness that is woven into the program.
    #[serde(default)]
    pub validate: Option<String>,
    /// The meaning of the program.
    pub meaning: Meaning,
    /// The configurations to run one after the other (or several at once); none to let the program decide.
    pub plan: Option<Vec<Step>>,
    /// What others have found to hold in the program, as text.
    #[serde(default)]
    pub known: String,
    /// Which of them this worker runs.
    pub index: usize,
    /// How many run at once.
    pub jobs: usize,
    /// The time left for all of them.
    pub time: Duration,
    /// The processor time left for all of them together, if that is limited; engines then count their work, not the time that passes.
    pub cpu_time: Option<Duration>,
    /// The process that asks.
    pub parent: u32,
    /// The memory limit in bytes.
    pub memory: u64,
    /// Whether a witness is wanted; the command line to name in it.
    pub witness: Option<String>,
    /// Its format.
    #[serde(default)]
    pub witness_format: plumb_export::witness::Format,
    /// The name of the test's file, if one is wanted.
    pub test: Option<String>,
    /// Whether the graph is wanted.
    pub dot: bool,
    /// Whether it is wanted for a page.
    #[serde(default)]
    pub arg: bool,
    /// Whether nothing is to be verified, only the program to be drawn.
    #[serde(default)]
    pub describe: bool,
}

/// One automaton of a specification.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Observed {
    /// The file, for messages.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Which automaton.
    pub index: usize,
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
    /// The rule of the default strategy for this program, as a sentence.
    Rule(String),
    /// Its configurations.
    Plan(Vec<Step>),
    /// What it is doing.
    Progress(String),
    /// The input is not a C program; a located message.
    Invalid(String),
    /// The program, as asked for by [`Request::describe`]; the last message.
    Drawn(Box<Drawings>),
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
    /// The graph, if it was wanted and the engine has one.
    pub dot: Option<String>,
    /// The graph for a page.
    #[serde(default)]
    pub arg: Option<Drawing>,
    /// Which invariant of the witness fails, if that is the error.
    #[serde(default)]
    pub invariant: Option<usize>,
    /// What holds in the program and was not known before, as text; for `unknown`.
    #[serde(default)]
    pub facts: Option<String>,
    /// Whether there is a proof that the checker did not get to the end of; for `unknown`.
    #[serde(default)]
    pub open_proof: bool,
}

/// A configuration of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its name.
    pub config: String,
    /// Its share of the time, in proportion to the others'.
    pub weight: u32,
    /// The most milliseconds it gets.
    #[serde(default)]
    pub most: Option<u32>,
    /// Whether it gets this turn even if it gave up in an earlier one.
    #[serde(default)]
    pub again: bool,
}

impl Step {
    /// A configuration that has all the time for itself, or as much as any other.
    pub fn alone(config: &str) -> Step {
        Step { config: config.to_owned(), weight: 1, most: None, again: false }
    }
}

/// The time that the step `index` of a plan gets from what is left, when those before it were started. Steps that run at the same
/// time share the processor time, if that is limited; what an earlier one left unused is the later ones'.
pub fn share(left: Duration, cpu_time: Option<Duration>, plan: &[Step], index: usize, jobs: usize) -> Duration {
    let all = left.saturating_mul(jobs.max(1) as u32);
    let work = cpu_time.map_or(all, |t| t.min(all));
    let rest = plan.get(index..).unwrap_or(&[]);
    let Some(mine) = rest.first() else { return left };
    // Nobody waits for it.
    if rest.len() == 1 || (cpu_time.is_none() && rest.len() <= jobs) {
        return left.min(work);
    }
    let weights: u64 = rest.iter().map(|s| u64::from(s.weight)).sum();
    let most = mine.most.map_or(left, |ms| Duration::from_millis(u64::from(ms)));
    work.mul_f64(f64::from(mine.weight) / weights.max(1) as f64).min(most).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_use_up_the_time() {
        let left = Duration::from_secs(12);
        let plan = [("a", 1), ("b", 2), ("c", 1)].map(|(c, weight)| Step { config: c.to_owned(), weight, most: None, again: false });
        assert_eq!(share(left, None, &plan, 0, 1), Duration::from_secs(3));
        assert_eq!(share(left, None, &plan, 1, 1), Duration::from_secs(8));
        assert_eq!(share(left, None, &plan, 2, 1), left);
        assert_eq!(share(left, None, &plan, 0, 2), Duration::from_secs(6));
        assert_eq!(share(left, None, &plan, 0, 4), left);
        assert_eq!(share(left, None, &plan, 5, 1), left);
        let short = [Step { most: Some(2000), ..plan[0].clone() }, plan[1].clone(), plan[2].clone()];
        assert_eq!(share(left, None, &short, 0, 1), Duration::from_secs(2));
        assert_eq!(share(left, None, &short, 0, 4), left, "nobody waits for it");
        // Two at once use up 12 s of the processor in 6 s.
        assert_eq!(share(left, Some(left), &plan, 0, 2), Duration::from_secs(3));
        assert_eq!(share(left, Some(left), &plan, 2, 2), left);
        assert_eq!(share(left, Some(left / 2), &plan, 2, 1), left / 2);
    }
}
