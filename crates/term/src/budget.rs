//! Budgets: a deadline and a flag, asked often and cheaply.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a computation may go on. Clones share the cancel flag.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    cancelled: Arc<AtomicBool>,
}

impl Budget {
    /// No limit, until cancelled.
    pub fn unlimited() -> Budget {
        Budget { deadline: None, cancelled: Arc::default() }
    }

    /// Until `time` from now.
    pub fn within(time: Duration) -> Budget {
        Budget { deadline: Instant::now().checked_add(time), cancelled: Arc::default() }
    }

    /// The same budget, but ending at the latest `time` from now.
    pub fn at_most(&self, time: Duration) -> Budget {
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget { deadline, cancelled: self.cancelled.clone() }
    }

    /// The n-th part of the time that is left; all of it where there is no limit.
    pub fn part(&self, n: u32) -> Budget {
        self.left().map_or_else(|| self.clone(), |left| self.at_most(left / n))
    }

    /// Whether the time is up or somebody cancelled.
    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.deadline.is_some_and(|d| Instant::now() >= d)
    }

    /// The question whether the budget is over, for libraries that do not know budgets.
    pub fn watch(&self) -> impl Fn() -> bool + 'static {
        let budget = self.clone();
        move || budget.is_over()
    }

    /// The time left; `None` when unlimited.
    pub fn left(&self) -> Option<Duration> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(Duration::ZERO);
        }
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }

    /// Ends the computation at its next look.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}
