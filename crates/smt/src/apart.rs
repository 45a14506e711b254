//! Work that may not stop when it is told to.
//!
//! Z3 is interrupted when the time is over, but some of its loops do not look. Such work is done in a thread of its own and, if it does not end, left to itself: the
//! answer is then that there is none.

use plumb_term::Budget;
use std::sync::mpsc::{channel, RecvTimeoutError};
use std::time::Duration;

/// The time between the end of the budget and the answer, for work that does stop.
const GRACE: Duration = Duration::from_millis(150);
/// How often a budget is looked at that can be cancelled.
const PERIOD: Duration = Duration::from_millis(100);

/// The result of the work, if it ends with the budget.
pub(crate) fn apart<T: Send + 'static>(budget: &Budget, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, result) = channel();
    let spawned = std::thread::Builder::new().name("apart".into()).spawn(move || {
        // Nobody may be there any more.
        let _ = done.send(work());
    });
    spawned.ok()?;
    loop {
        let over = budget.is_over();
        match result.recv_timeout(if over { GRACE } else { PERIOD }) {
            Ok(value) => return Some(value),
            Err(RecvTimeoutError::Timeout) if !over => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn work_that_does_not_end_is_left() {
        let start = Instant::now();
        let budget = Budget::within(Duration::from_millis(50));
        assert_eq!(apart(&budget, || std::thread::sleep(Duration::from_secs(3600))), None);
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(apart(&Budget::unlimited(), || 3), Some(3));
    }
}
