//! Refinement of the tracked variables (Section 6.2): those that the contradiction of an infeasible path depends on.
//!
//! Along the path, backward, from the conditions that contradict each other: a variable that one of them reads must be followed, and where it was
//! assigned, so must be what its value was computed from. If all of that is followed already, explicit values cannot exclude the path: its
//! contradiction is about values that are not constant.

use super::{Tracked, Values};
use crate::verify::{Path, Refiner};
use plumb_cpa::{Flow, Separate};
use plumb_term::visit::vars;
use plumb_term::{Term, VarId};
use std::collections::BTreeSet;

/// Adds the variables that a contradiction depends on.
#[derive(Clone, Copy, Debug)]
pub struct TrackMore;

impl Refiner<Separate<Values<'_>>> for TrackMore {
    fn refine(&self, flow: &Flow<'_>, path: &Path<Separate<Values<'_>>>, contradiction: &[usize], prec: &Tracked) -> Option<Tracked> {
        let Tracked::Only(known) = prec else { return None };
        let mut all = known.clone();
        let mut needed: BTreeSet<VarId> = BTreeSet::new();
        let read = |t: Term| vars([t]).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX).collect::<Vec<_>>();
        for (i, step) in path.steps.iter().map(|s| flow.step(*s)).enumerate().rev() {
            let before: Vec<VarId> = step.updates().iter().filter(|u| needed.contains(&u.0)).flat_map(|u| read(u.1)).collect();
            needed.retain(|v| step.updates().iter().all(|u| u.0 != *v));
            needed.extend(before);
            if contradiction.contains(&i) {
                needed.extend(read(step.condition()));
            }
            all.extend(needed.iter().copied());
        }
        (all.len() > known.len()).then_some(Tracked::Only(all))
    }
}
