//! Bounded model checking with incremental unrolling.
//!
//! Waves of growing depth (see [`crate::unroll`]); after each, one query asks whether some error of the wave is reachable, and the
//! states that wait for the next wave are kept only if they are. When none is left, the unwinding covers all executions and the
//! program is safe: the evidence is the bound. Loops, calls and recursion are all unwound; bit-precise.

use crate::query::{Answer, Queries};
use crate::trace;
use crate::unroll::{Bound, Unroller};
use plumb_cfa::unwind::Orders;
use plumb_cfa::Program;
use plumb_term::Budget;
use plumb_verdict::{Method, Notes, Proof, Reason, ReasonKind, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

/// Points one wave may visit: what is larger exhausts memory before it answers.
const MAX_POINTS: usize = 2_000_000;

/// Searches for an error with growing depth.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str)) -> Verdict {
    run_from(program, 0, budget, progress, &mut Notes::default())
}

/// The same where no error is known to be within `free` iterations of each loop, which are not asked about; how far it comes is noted.
pub fn run_from(program: &Program, free: u32, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    let orders = Orders::new(program);
    let mut unroller = Unroller::new(program, &orders);
    let mut queries = Queries::new(program, budget);
    let mut pending = unroller.entry();
    let mut unsupported = Vec::new();
    let mut bound = 1;
    let mut covered = None;
    loop {
        progress(&format!("unrolling to depth {bound}"));
        let established = |r: Reason| match covered {
            Some(k) => r.with(format!("no error within {k} iterations of each loop")),
            None => r,
        };
        let Some(wave) = unroller.wave(pending, Bound::Times(bound), MAX_POINTS, budget) else {
            let kind = if budget.is_over() {
                ReasonKind::Time
            } else {
                ReasonKind::Incomplete(format!("the unwinding to depth {bound} is too large"))
            };
            return Verdict::Unknown(established(Reason::new(kind)));
        };
        let new = wave.errors.iter().filter(|_| bound > free);
        match queries.any(new.map(|e| e.1)) {
            Answer::Sat(model) => return Verdict::Unsafe(trace::from_model(program, &unroller.asked, &|v| model.var(v))),
            Answer::Unsat => {}
            Answer::Unknown(why) => return Verdict::Unknown(established(Reason::new(why))),
        }
        unsupported.extend(wave.unsupported);
        pending = wave.waiting;
        let patience = Duration::from_millis(500);
        pending.retain(|_, s| budget.is_over() || !matches!(queries.quick(s.path.condition(), patience), Answer::Unsat));
        covered = Some(bound);
        notes.facts.free = bound;
        if pending.is_empty() {
            for (what, span, condition) in unsupported {
                if !matches!(queries.any([condition]), Answer::Unsat) {
                    return Verdict::Unknown(Reason::new(ReasonKind::Unsupported(what)).at(span));
                }
            }
            return Verdict::Safe(Proof { method: Method::Unwinding { bound }, invariants: BTreeMap::new() });
        }
        bound += 1 + bound / 2;
    }
}
