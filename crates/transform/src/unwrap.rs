//! Removal of idle wraps: `wrap_τ(e)` becomes `e` on every edge where the interval analysis proves that `e` is in the range of τ
//! already. Exact.
//!
//! Linear engines and solvers over ℤ pay for every wrap. The bounds that justify the removal go into the proof: **proofs** come back with the
//! ranges at loop heads as additional facts ([`Ranges::reasons`]), from which the checker can derive again that the wraps are
//! idle. **Traces** come back as they are.

use crate::draft::map_terms;
use crate::interval::env::Env;
use crate::interval::transfer::{self, Eval};
use crate::interval::Ranges;
use crate::pass::{BackTranslation, Identity, Pass, PassError};
use crate::points::strengthen;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{FuncId, Point, Program};
use plumb_term::visit::{postorder, rebuild};
use plumb_term::{Budget, Kind, Term};
use plumb_verdict::{Proof, Trace};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Removes idle wraps. If the budget ends before the analysis does, nothing is removed.
#[derive(Clone, Debug)]
pub struct Unwrap {
    /// For the analysis.
    pub budget: Budget,
}

impl Pass for Unwrap {
    fn name(&self) -> &'static str {
        "unwrap"
    }

    fn run(&self, mut program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        let orders = Orders::new(&program);
        let Some(ranges) = Ranges::new(&program, &orders, &self.budget) else {
            drop(orders);
            return Ok((program, Box::new(Identity)));
        };
        let mut changes = Vec::new();
        for (i, f) in program.functions.iter().enumerate() {
            for (id, edge) in f.graph.edges() {
                let Some(env) = ranges.at(FuncId(i as u32), edge.from) else { continue };
                let Some(env) = transfer::assume(&program, env, not_preempted(&f.graph, id), 0) else { continue };
                let op = map_terms(&edge.op, &mut |t| unwrap(&program, &env, t));
                if op != edge.op {
                    changes.push((i, id, op));
                }
            }
        }
        let reasons = if changes.is_empty() { BTreeMap::new() } else { ranges.reasons(&program, &orders) };
        drop(orders);
        for (f, e, op) in changes {
            *program.functions[f].graph.op_mut(e) = op;
        }
        Ok((program, Box::new(Back { reasons })))
    }
}

/// The term without the wraps that are idle in the states of `env`.
pub fn unwrap(program: &Program, env: &Env, t: Term) -> Term {
    let all = postorder([t]);
    if !all.iter().any(|n| matches!(n.kind(), Kind::Wrap(..))) {
        return t;
    }
    let mut eval = Eval::new(program, env);
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for n in all {
        let new = match n.kind() {
            Kind::Wrap(ty, a) if eval.range(*a).fits(*ty) => done[a],
            _ => rebuild(n, &|c| done[&c]),
        };
        done.insert(n, new);
    }
    done[&t]
}

/// The way back.
struct Back {
    reasons: BTreeMap<Point, Term>,
}

impl BackTranslation for Back {
    fn proof(&self, proof: Proof) -> Proof {
        strengthen(proof, &self.reasons)
    }

    fn trace(&self, trace: Trace) -> Trace {
        trace
    }
}
