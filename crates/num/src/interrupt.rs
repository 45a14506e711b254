//! Giving up a computation in the middle of an operation.
//!
//! The double description of a polyhedron can be exponentially larger than the constraints it comes from, so that a single
//! operation may outlast any patience. Results stay exact, hence there is no smaller answer to give: the whole computation
//! ends instead. [`interruptible`] runs a computation; inside it, long loops of the library ask from time to time
//! whether it is over, and if so unwind the stack back to the call, which returns [`Interrupted`].
//!
//! Elements are immutable and caches are filled only by finished conversions, so whatever outlives an interrupted
//! computation is as good as before it. Computations may be nested; outside of any, operations run to their end.
//!
//! ```
//! use plumb_num::{interruptible, Boxes, Interrupted, Lattice};
//! use std::time::{Duration, Instant};
//!
//! let end = Instant::now() + Duration::from_secs(60);
//! let top = interruptible(move || Instant::now() >= end, || Boxes.top());
//! assert!(matches!(top, Ok(_)) && top != Err(Interrupted));
//! ```

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::rc::Rc;

/// The computation was over before it had a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// What the stack is unwound with: the number of computations around the one that is over.
struct Over(usize);

type Question = Rc<dyn Fn() -> bool>;

thread_local! {
    /// The questions of the running computations, outermost first.
    static QUESTIONS: RefCell<Vec<Question>> = const { RefCell::new(Vec::new()) };
    /// Steps since the questions were last asked.
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Steps between two rounds of questions: a few milliseconds.
const PATIENCE: usize = 1 << 22;

/// Runs `work`, and gives up once `is_over` answers yes during a long operation on this thread.
pub fn interruptible<R>(is_over: impl Fn() -> bool + 'static, work: impl FnOnce() -> R) -> Result<R, Interrupted> {
    let depth = QUESTIONS.with_borrow_mut(|all| {
        all.push(Rc::new(is_over));
        all.len() - 1
    });
    // What `work` borrows mutably may be left half changed; the caller's contract is that nobody relies on it.
    let outcome = catch_unwind(AssertUnwindSafe(work));
    QUESTIONS.with_borrow_mut(|all| all.truncate(depth));
    outcome.or_else(|payload: Box<dyn Any + Send>| match payload.downcast_ref::<Over>() {
        Some(Over(at)) if *at == depth => Err(Interrupted),
        _ => resume_unwind(payload),
    })
}

/// Counts steps of a long operation; unwinds if a computation around it is over.
pub(crate) fn count(steps: usize) {
    let sum = STEPS.get() + steps;
    if sum < PATIENCE {
        STEPS.set(sum);
        return;
    }
    STEPS.set(0);
    // The questions may run anything, so the list is not borrowed while they do.
    let all = QUESTIONS.with_borrow(Vec::clone);
    if let Some(at) = all.iter().position(|is_over| is_over()) {
        resume_unwind(Box::new(Over(at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dim, LinCons, LinExpr, NumDomain, Polyhedra};
    use std::time::{Duration, Instant};

    /// A product of `n` intervals as one block, through a constraint that relates all: 2ⁿ vertices.
    fn cube(n: u32) -> usize {
        let var = |i| LinExpr::var(Dim(i));
        let ends = |i| [LinCons::ge(var(i), 0.into()), LinCons::le(var(i), 1.into())];
        let sum = (1..n).fold(var(0), |s, i| s + var(i));
        let all: Vec<LinCons> = (0..n).flat_map(ends).chain([LinCons::le(sum, i64::from(n - 1).into())]).collect();
        Polyhedra::default().of_constraints(&all).generators().len()
    }

    #[test]
    fn an_endless_conversion_is_given_up() {
        let start = Instant::now();
        let end = start + Duration::from_millis(50);
        assert_eq!(interruptible(move || Instant::now() >= end, || cube(24)), Err(Interrupted));
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(interruptible(|| false, || cube(5)), Ok(31), "the next one is not touched");
        assert_eq!(cube(4), 15);
    }

    #[test]
    fn the_outermost_computation_that_is_over_ends() {
        let inner = |outer: bool| interruptible(move || outer, || interruptible(|| true, || cube(24)));
        assert_eq!(inner(false), Ok(Err(Interrupted)));
        assert_eq!(inner(true), Err(Interrupted));
    }

    #[test]
    fn other_panics_pass() {
        let caught = catch_unwind(|| interruptible(|| true, || resume_unwind(Box::new(7u8))));
        assert_eq!(caught.map_err(|p| p.downcast_ref::<u8>().copied()), Err::<Result<(), _>, _>(Some(7)));
        assert!(QUESTIONS.with_borrow(Vec::is_empty));
    }
}
