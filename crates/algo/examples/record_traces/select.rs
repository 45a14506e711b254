//! A varied selection of traces.
//!
//! Many programs are variants of one another and ask the same questions. Of the traces that agree in the numbers of operations of
//! each kind one is kept; those are put in order of length and taken at even distances. No timing has any part in it.

use std::collections::{BTreeMap, BTreeSet};

use plumb_num::trace::{Trace, TraceOp};
use plumb_num::Dim;

/// Shorter traces measure nothing.
const MIN_OPS: usize = 30;

/// At most `count` traces, the shortest first.
pub fn select(traces: Vec<Trace>, count: usize) -> Vec<Trace> {
    let mut classes: BTreeMap<(usize, u32, Vec<usize>), Trace> = BTreeMap::new();
    for t in traces.into_iter().map(compact).filter(|t| t.ops.len() >= MIN_OPS && t.ops.iter().any(is_widening)) {
        classes.entry((t.ops.len(), t.dims(), profile(&t))).or_insert(t);
    }
    let all: Vec<Trace> = classes.into_values().collect();
    let n = all.len();
    let wanted: BTreeSet<usize> = (0..count).filter(|_| n > 0).map(|i| i * (n - 1) / (count - 1).max(1)).collect();
    all.into_iter().enumerate().filter(|(i, _)| wanted.contains(i)).map(|(_, t)| t).collect()
}

fn is_widening(op: &TraceOp) -> bool {
    matches!(op, TraceOp::Widen(..))
}

/// How many operations of each kind there are.
fn profile(t: &Trace) -> Vec<usize> {
    let mut counts = vec![0; 14];
    for op in &t.ops {
        let kind = match op {
            TraceOp::Top => 0,
            TraceOp::Bottom => 1,
            TraceOp::Assume(..) => 2,
            TraceOp::Assign(..) => 3,
            TraceOp::Preimage(..) => 4,
            TraceOp::Forget(..) => 5,
            TraceOp::Rename(..) => 6,
            TraceOp::Join(..) => 7,
            TraceOp::Meet(..) => 8,
            TraceOp::Widen(..) => 9,
            TraceOp::Leq(..) => 10,
            TraceOp::IsBottom(..) => 11,
            TraceOp::Entails(..) => 12,
            TraceOp::Bounds(..) => 13,
        };
        counts[kind] += 1;
    }
    counts
}

/// The same trace without dimensions that no constraint or value mentions: forgetting them does nothing.
fn compact(mut t: Trace) -> Trace {
    let mut used: BTreeSet<Dim> = BTreeSet::new();
    for op in &t.ops {
        match op {
            TraceOp::Assume(_, cs) => used.extend(cs.iter().flat_map(|c| c.expr().dims())),
            TraceOp::Assign(_, x, e) | TraceOp::Preimage(_, x, e) => used.extend(e.dims().chain([*x])),
            TraceOp::Rename(_, map) => used.extend(map.iter().flat_map(|m| [m.0, m.1])),
            TraceOp::Entails(_, c, _) => used.extend(c.expr().dims()),
            TraceOp::Bounds(_, e) => used.extend(e.dims()),
            _ => {}
        }
    }
    let number: BTreeMap<Dim, Dim> = used.into_iter().zip((0..).map(Dim)).collect();
    let at = |d: Dim| number.get(&d).copied().unwrap_or(d);
    for op in &mut t.ops {
        match op {
            TraceOp::Assume(_, cs) => cs.iter_mut().for_each(|c| *c = c.rename(at)),
            TraceOp::Assign(_, x, e) | TraceOp::Preimage(_, x, e) => (*x, *e) = (at(*x), e.rename(at)),
            TraceOp::Forget(_, ds) => *ds = ds.iter().filter_map(|d| number.get(d).copied()).collect(),
            TraceOp::Rename(_, map) => map.iter_mut().for_each(|m| *m = (at(m.0), at(m.1))),
            TraceOp::Entails(_, c, _) => *c = c.rename(at),
            TraceOp::Bounds(_, e) => *e = e.rename(at),
            _ => {}
        }
    }
    t
}
