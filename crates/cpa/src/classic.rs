//! Algorithms 1(a) and 1(b) of the chapter, as it writes them: the data-flow analyser's and the model checker's own reachability algorithm.
//!
//! Here the location is not part of the abstract state but of the algorithm. They exist to be compared with: Algorithm 2 with merge-join
//! computes what `DFA` does, and with merge-sep what `Reach` does, on the product of the analysis with the tracking of locations (tests of `plumb-cpas`).

use crate::cpa::{Cpa, Site};
use crate::flow::{Flow, Place};
use plumb_term::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// Algorithm 1(a), *DFA*: one abstract state for each place, the join of all that arrive; `None` if the budget is over first.
pub fn dfa<C: Cpa>(flow: &Flow<'_>, cpa: &C, budget: &Budget) -> Option<BTreeMap<Place, C::State>> {
    let mut reached: BTreeMap<Place, C::State> = BTreeMap::new();
    let mut waitlist = BTreeSet::from([flow.entry()]);
    for e in cpa.initial() {
        arrive(flow, cpa, &mut reached, flow.entry(), e);
    }
    while let Some(l) = waitlist.pop_first() {
        if budget.is_over() {
            return None;
        }
        for step in flow.leaving(l).iter().map(|s| flow.step(*s)) {
            for e in cpa.transfer(&reached[&l], step) {
                if arrive(flow, cpa, &mut reached, step.to, e) {
                    waitlist.insert(step.to);
                }
            }
        }
    }
    Some(reached)
}

/// Joins (or, where chains are infinite, widens) what is known at a place; whether that changed it.
fn arrive<C: Cpa>(flow: &Flow<'_>, cpa: &C, reached: &mut BTreeMap<Place, C::State>, at: Place, e: C::State) -> bool {
    match reached.get_mut(&at) {
        Some(old) if cpa.leq(&e, old) => false,
        Some(old) => {
            *old = cpa.merge(&e, old, Site { place: Some(at), cut: flow.is_cut(at, false) });
            true
        }
        None => {
            reached.insert(at, e);
            true
        }
    }
}

/// Algorithm 1(b), *Reach*: all abstract states at each place that no other covers, in the order they were found; `None` if the budget is over
/// first.
pub fn reach<C: Cpa>(flow: &Flow<'_>, cpa: &C, budget: &Budget) -> Option<BTreeMap<Place, Vec<C::State>>> {
    let mut reached: BTreeMap<Place, Vec<C::State>> = BTreeMap::new();
    let mut waitlist: Vec<(Place, C::State)> = cpa.initial().into_iter().map(|e| (flow.entry(), e)).collect();
    for (l, e) in &waitlist {
        reached.entry(*l).or_default().push(e.clone());
    }
    while let Some((l, e)) = waitlist.pop() {
        if budget.is_over() {
            return None;
        }
        for step in flow.leaving(l).iter().map(|s| flow.step(*s)) {
            for next in cpa.transfer(&e, step) {
                let known = reached.entry(step.to).or_default();
                if !known.iter().any(|k| cpa.leq(&next, k)) {
                    known.push(next.clone());
                    waitlist.push((step.to, next));
                }
            }
        }
    }
    Some(reached)
}
