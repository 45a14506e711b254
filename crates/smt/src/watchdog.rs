//! A thread that interrupts a solver when its time is over.
//!
//! Z3's own timeout is not looked at in every loop, and a budget can be cancelled from anywhere. The watchdog looks at the budget while a
//! check runs and repeats the interrupt until the check returns. It interrupts only under the lock that [`Watchdog::guard`]
//! takes to disarm it, so never after the check.

use crate::ffi::Interrupter;
use plumb_term::Budget;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often a running check's budget is looked at.
const PERIOD: Duration = Duration::from_millis(10);

#[derive(Default)]
struct State {
    budget: Option<Budget>,
    quit: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watchdog of one context, which must not end before it.
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Starts the thread. `None` if the system has none left.
    pub(crate) fn new(interrupter: Interrupter) -> Option<Watchdog> {
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        let thread = std::thread::Builder::new().name("watchdog".into()).spawn(move || watch(&theirs, &interrupter)).ok()?;
        Some(Watchdog { shared, thread: Some(thread) })
    }

    /// Runs `work` and interrupts the context when the budget is over.
    pub(crate) fn guard<T>(&self, budget: &Budget, work: impl FnOnce() -> T) -> T {
        self.shared.lock().budget = Some(budget.clone());
        self.shared.wake.notify_one();
        let out = work();
        self.shared.lock().budget = None;
        out
    }
}

fn watch(shared: &Shared, interrupter: &Interrupter) {
    let mut state = shared.lock();
    while !state.quit {
        let wait = match &state.budget {
            Some(budget) if budget.is_over() => {
                interrupter.interrupt();
                Some(PERIOD)
            }
            Some(budget) => Some(budget.left().map_or(PERIOD, |left| left.min(PERIOD)).max(Duration::from_millis(1))),
            None => None,
        };
        state = match wait {
            Some(time) => shared.wake.wait_timeout(state, time).map_or_else(|e| e.into_inner().0, |r| r.0),
            None => shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().quit = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // It holds no data: how it ended does not matter.
            let _ = thread.join();
        }
    }
}
