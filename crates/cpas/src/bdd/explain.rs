//! A path along which a diagram came to the error.
//!
//! Where states are joined, the graph of the exploration does not tell which predecessor brought which part of a diagram: a path through it may be one that not even the analysis
//! takes. So the steps are written down as they are made, with the diagrams before and after. From the error backward, the states that lead to a set after a step are a
//! pre-image; the first earlier step that brought some of them to the place is the one before. Calls are not told apart here, so a path may return to where it was not called from;
//! whoever executes it finds out.

use super::Diagrams;
use plumb_cpa::{Flow, Step, StepId};
use plumb_dd::{Bdd, Full};
use plumb_term::Budget;
use rustc_hash::FxHashMap;

/// More steps are not written down.
const MAX_LOG: usize = 4_000_000;

/// A step as it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    step: StepId,
    before: Bdd,
    after: Bdd,
}

impl Diagrams<'_> {
    /// Writes a step down.
    pub(super) fn note(&self, step: &Step, before: Bdd, after: Bdd) {
        let mut log = self.log.borrow_mut();
        if log.len() < MAX_LOG {
            log.push(Made { step: step.id, before, after });
        }
    }

    /// A path from the entry to an error, if one was found and can be followed back in time.
    pub(super) fn path_to_error(&self, flow: &Flow<'_>, budget: &Budget) -> Option<Vec<StepId>> {
        let log = self.log.borrow();
        let mut arrivals: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (i, m) in log.iter().enumerate() {
            arrivals.entry(flow.step(m.step).to).or_default().push(i);
        }
        let mut at = log.iter().rposition(|m| flow.is_error(flow.step(m.step).to))?;
        let mut target = log[at].after;
        let mut path = Vec::new();
        loop {
            let made = log[at];
            let step = flow.step(made.step);
            path.push(made.step);
            let wanted = self.before(made.before, step, target).ok()?;
            let earlier = arrivals.get(&step.from).into_iter().flatten().copied().take_while(|i| *i < at && !budget.is_over());
            let meets = |i: usize| Some(self.dd.borrow_mut().and(log[i].after, wanted).ok()?).filter(|both| *both != Bdd::FALSE);
            let first = earlier.filter_map(|i| Some((i, meets(i)?))).next();
            match first {
                Some((i, both)) => (at, target) = (i, both),
                None if budget.is_over() => return None,
                None if step.from == flow.entry() => break,
                None => return None,
            }
        }
        path.reverse();
        Some(path)
    }

    /// The states of a set that a step may lead into a set.
    fn before(&self, e: Bdd, step: &Step, after: Bdd) -> Result<Bdd, Full> {
        let Some(allowed) = self.assume(e, step.condition())? else { return Ok(Bdd::FALSE) };
        let assigned = self.assigned(step);
        let mut dd = self.dd.borrow_mut();
        let related = self.related(&mut dd, allowed, &assigned)?;
        let is_new = |level: u32| assigned.iter().any(|(_, b, _)| b.has(level));
        let moved = dd.rename(after, &|level| if is_new(level) { level + 1 } else { level })?;
        let both = dd.and(related, moved)?;
        dd.exists(both, &|level| level % 2 == 1)
    }
}
