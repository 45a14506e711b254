//! Descending iteration: regains what widening gave up.
//!
//! After an exploration has become stable, one more application of the transfer relation at each cut can only take states away. The narrowed
//! states are *hints* for a new exploration: a state that arrives at a cut is weakened at once to what the hint says, so that the loop is
//! stable at its first round. The new exploration does not trust the hints: where they are too small it grows beyond them, so its result is
//! sound, and inductive, by itself.

use crate::algorithm::{Exploration, Outcome};
use crate::arg::NodeId;
use crate::cpa::{Cpa, Site};
use crate::waitlist::Order;
use plumb_term::Budget;
use rustc_hash::FxHashMap;

/// Explores, then descends so many times. A budget that ends in between leaves the last whole exploration.
pub fn explore<'a, C: Cpa>(
    flow: &'a crate::Flow<'a>,
    cpa: &'a C,
    prec: &'a C::Prec,
    order: Order,
    rounds: u32,
    budget: &Budget,
) -> (Exploration<'a, C>, Outcome) {
    let mut run = Exploration::new(flow, cpa, prec, order);
    let mut outcome = run.run(budget);
    for _ in 0..rounds {
        if outcome != Outcome::Complete || cpa.never_merges() {
            break;
        }
        let hints = hints(&run);
        if hints.is_empty() {
            break;
        }
        let mut next = Exploration::with_hints(flow, cpa, prec, order, hints);
        if next.run(budget) != Outcome::Complete {
            break;
        }
        (run, outcome) = (next, Outcome::Complete);
    }
    (run, outcome)
}

/// For each key that has one state, at a cut, which is narrowed by what arrives there: the narrowed state.
fn hints<C: Cpa>(run: &Exploration<'_, C>) -> FxHashMap<C::Key, C::State> {
    let (cpa, flow, arg) = (run.cpa(), run.flow(), run.arg());
    let mut of_key: FxHashMap<C::Key, Vec<NodeId>> = FxHashMap::default();
    let is_cut = |e: &C::State| cpa.place(e).is_none_or(|p| flow.is_cut(p, cpa.stack(e).is_some()));
    for (n, e) in arg.nodes().filter(|(_, e)| is_cut(e)) {
        of_key.entry(cpa.key(e)).or_default().push(n);
    }
    let mut arriving: FxHashMap<NodeId, C::State> = FxHashMap::default();
    let mut add = |e: C::State| {
        let at = Site { place: cpa.place(&e), cut: true };
        let Some(e) = cpa.prec(e, run.precision(), at) else { return };
        if let Some([n]) = of_key.get(&cpa.key(&e)).map(Vec::as_slice) {
            let sum = arriving.get(n).map_or_else(|| e.clone(), |old| cpa.join(&e, old));
            arriving.insert(*n, sum);
        }
    };
    cpa.initial().into_iter().for_each(&mut add);
    for (n, e) in arg.nodes() {
        let mut steps: Vec<_> = arg.edges(n).iter().filter(|edge| is_cut(arg.state(edge.to))).map(|edge| edge.step).collect();
        steps.dedup();
        for step in steps {
            cpa.transfer(e, flow.step(step)).into_iter().for_each(&mut add);
        }
    }
    let mut out = FxHashMap::default();
    let mut narrower = false;
    for (n, new) in arriving {
        let old = arg.state(n);
        let hint = if cpa.leq(&new, old) { cpa.narrow(old, &new) } else { old.clone() };
        narrower |= !cpa.leq(old, &hint);
        out.insert(cpa.key(old), hint);
    }
    if narrower {
        out
    } else {
        FxHashMap::default()
    }
}
