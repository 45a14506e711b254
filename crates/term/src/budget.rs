//! Budgets: a deadline and a flag, asked often and cheaply.
//!
//! A deadline is one of the wall clock, or of a clock that counts work (the processor time of a process), or both. A clock of work may be expensive to read, but it never runs faster than
//! the wall clock: as long as less time has passed than there was work left, nobody needs to look.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a computation may go on. Clones share the cancel flag.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    work: Option<Work>,
    cancelled: Arc<AtomicBool>,
}

/// A deadline on a clock of work.
#[derive(Clone, Debug)]
struct Work {
    clock: fn() -> Duration,
    end: Duration,
    made: Instant,
    /// Nanoseconds after `made` before which the end cannot have come.
    quiet: Arc<AtomicU64>,
}

impl Work {
    fn until(clock: fn() -> Duration, now: Duration, end: Duration) -> Work {
        let quiet = Arc::new(AtomicU64::new(nanoseconds(end.saturating_sub(now))));
        Work { clock, end, made: Instant::now(), quiet }
    }

    fn left(&self) -> Duration {
        self.end.saturating_sub((self.clock)())
    }

    fn is_over(&self) -> bool {
        let passed = nanoseconds(self.made.elapsed());
        if passed < self.quiet.load(Ordering::Relaxed) {
            return false;
        }
        let left = nanoseconds(self.left());
        self.quiet.store(passed.saturating_add(left), Ordering::Relaxed);
        left == 0
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Budget {
    /// No limit, until cancelled.
    pub fn unlimited() -> Budget {
        Budget { deadline: None, work: None, cancelled: Arc::default() }
    }

    /// Until `time` from now.
    pub fn within(time: Duration) -> Budget {
        Budget { deadline: Instant::now().checked_add(time), ..Budget::unlimited() }
    }

    /// The same budget, but until `work` more has passed on a clock that runs no faster than time does. Parts of the budget are parts of that work.
    pub fn working(&self, clock: fn() -> Duration, work: Duration) -> Budget {
        let now = clock();
        Budget { work: Some(Work::until(clock, now, now.saturating_add(work))), ..self.clone() }
    }

    /// The same budget, but ending at the latest `time` from now, or after so much more work if it counts that.
    pub fn at_most(&self, time: Duration) -> Budget {
        if let Some(work) = &self.work {
            let now = (work.clock)();
            let work = Some(Work::until(work.clock, now, work.end.min(now.saturating_add(time))));
            return Budget { work, ..self.clone() };
        }
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget { deadline, ..self.clone() }
    }

    /// The n-th part of the time that is left; all of it where there is no limit.
    pub fn part(&self, n: u32) -> Budget {
        self.left().map_or_else(|| self.clone(), |left| self.at_most(left / n))
    }

    /// Whether the time is up or somebody cancelled.
    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
            || self.work.as_ref().is_some_and(Work::is_over)
            || self.deadline.is_some_and(|d| Instant::now() >= d)
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
        let time = self.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let work = self.work.as_ref().map(Work::left);
        match (time, work) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Ends the computation at its next look.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that stands still: whoever waits does no work.
    fn still() -> Duration {
        Duration::from_secs(5)
    }

    /// The wall clock, as the clock of one who always works.
    fn busy() -> Duration {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
    }

    #[test]
    fn waiting_is_not_working() {
        let short = Duration::from_millis(5);
        let budget = Budget::unlimited().working(still, short);
        std::thread::sleep(2 * short);
        assert!(!budget.is_over() && !budget.at_most(short).is_over());
        assert_eq!(budget.left(), Some(short));
        assert_eq!(budget.part(5).left(), Some(short / 5));
        budget.cancel();
        assert!(budget.is_over() && budget.left() == Some(Duration::ZERO));
    }

    #[test]
    fn work_ends_and_so_does_time() {
        let short = Duration::from_millis(5);
        let long = Duration::from_secs(600);
        let worked = Budget::unlimited().working(busy, short);
        let waited = Budget::within(short).working(still, long);
        let part = Budget::unlimited().working(busy, long).at_most(short);
        assert!(!worked.is_over());
        std::thread::sleep(4 * short);
        assert!(worked.is_over() && worked.is_over(), "and stays so");
        assert!(waited.is_over() && part.is_over());
    }
}
