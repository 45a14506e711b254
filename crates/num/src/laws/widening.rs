//! Laws of widening and narrowing.

use super::gen::{member, Case};
use super::{law, Claims};
use crate::domain::NumDomain;
use crate::linear::{ConsKind, LinCons};

/// More steps than any widening chain over the few dimensions of a case needs.
const LONG: usize = 400;

/// Widening covers and converges, also up to thresholds; narrowing stays between and converges.
pub fn widening<D: NumDomain>(d: &D, _: Claims, case: &mut Case) -> Result<(), String> {
    let thresholds: Vec<LinCons> = (0..case.rng.range(0, 3)).map(|_| case.cons()).collect();
    let up_to = case.rng.one_in(2);
    let (body, only_loop) = (case.assignments(), case.rng.one_in(3));
    let (mut w, mut points) = case.elem(d);
    let mut changes = 0;
    // The chain must become stationary; feed it until it has stood still for a while.
    let mut still = 0;
    while still < 12 {
        // What a loop makes, which grows for ever if nothing stops it; in some cases, also unrelated elements.
        let unrelated = !only_loop && case.rng.one_in(2);
        let (n, more) = if unrelated { case.elem(d) } else { (d.assign_parallel(&w, &body), Vec::new()) };
        let new = d.join(&w, &n);
        let next = if up_to { d.widen_up_to(&w, &new, &thresholds) } else { d.widen(&w, &new) };
        law!(d.leq(&w, &next) && d.leq(&new, &next), "widening of {w:?} and {new:?} is not above them: {next:?}");
        // A threshold that the domain can hold and that is above both arguments (in the domain's order, which may be that of
        // rational points) is kept.
        for c in thresholds.iter().filter(|c| up_to && c.kind() != ConsKind::Ne) {
            let t = d.of_constraints(std::slice::from_ref(c));
            let kept = !d.entails(&t, c) || !d.leq(&w, &t) || !d.leq(&new, &t) || d.leq(&next, &t);
            law!(kept, "threshold {c:?} is lost from {w:?} and {new:?}");
        }
        points.extend(more);
        still = if next == w { still + 1 } else { 0 };
        changes += usize::from(still == 0);
        law!(changes < LONG, "the widening chain does not converge at {w:?}");
        w = next;
    }
    law!(points.iter().all(|p| member(d, &w, p)), "the widening chain has lost a point: {w:?}");

    let (mut changes, mut still) = (0, 0);
    while still < 6 {
        let new = d.meet(&w, &case.elem(d).0);
        let next = d.narrow(&w, &new);
        law!(d.leq(&new, &next) && d.leq(&next, &w), "narrowing of {w:?} by {new:?} is not between them: {next:?}");
        still = if next == w { still + 1 } else { 0 };
        changes += usize::from(still == 0);
        law!(changes < LONG, "the narrowing chain does not converge at {w:?}");
        w = next;
    }
    Ok(())
}
