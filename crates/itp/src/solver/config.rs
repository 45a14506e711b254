//! What a solver is asked to do besides solving.

use std::time::Duration;

/// How a solver works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Whether derivations are logged, so that there are refutations.
    pub proofs: bool,
    /// How many words the log of derivations may have before what is not needed any more is dropped from it; afterwards, whenever it has doubled.
    pub log_words: usize,
}

impl Default for Config {
    /// Proofs are logged; 64 MiB before the log is looked through.
    fn default() -> Config {
        Config { proofs: true, log_words: 1 << 24 }
    }
}

/// What a solver did so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Clauses and lemmas that were false.
    pub conflicts: u64,
    /// Literals that were decided, assumptions among them.
    pub decisions: u64,
    /// Literals whose consequences were computed.
    pub propagations: u64,
    /// Literals that the theory implied.
    pub implied: u64,
    /// Lemmas that the theory wrote out.
    pub lemmas: u64,
    /// Complete checks of the theory.
    pub final_checks: u64,
    /// Restarts.
    pub restarts: u64,
    /// Time in `check`.
    pub time: Duration,
}
