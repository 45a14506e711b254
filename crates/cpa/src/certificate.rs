//! From reached states to evidence: an invariant at each cut point.
//!
//! If no reached state violates the property, the disjunction of the reached states at each loop head, under its calls, is an inductive invariant
//! that excludes the error: that is what a complete exploration means. The checker does not believe it; it composes the blocks between the cut
//! points itself and asks a solver. So an analysis with a bug, or one whose [`crate::Cpa::formulas`] say less than its states, costs an answer.

use crate::algorithm::Exploration;
use crate::cpa::Cpa;
use crate::flow::Flow;
use plumb_cfa::liveness::Liveness;
use plumb_cfa::{CallSite, FuncId, Op, Point};
use plumb_term::visit::vars;
use plumb_term::Term;
use plumb_verdict::{Method, Proof, Reason, ReasonKind};
use std::collections::BTreeMap;

/// More cut points than this are too many for a proof.
const MAX_POINTS: usize = 50_000;

/// The invariants of a complete exploration that has found no violation. With `live`, formulas about what is dead are left out.
pub fn proof<C: Cpa>(run: &Exploration<'_, C>, live: Option<&Liveness>) -> Result<Proof, Reason> {
    let (flow, cpa) = (run.flow(), run.cpa());
    let mut known: BTreeMap<Point, Vec<Term>> = BTreeMap::new();
    for (_, e) in run.arg().nodes() {
        let place = cpa.place(e);
        if let Some(at) = place.filter(|p| flow.orders().calls().is_recursive(p.func)) {
            let name = &flow.program().function(at.func).name;
            return Err(Reason::new(ReasonKind::Incomplete(format!("invariants of loops do not cover the recursion of `{name}`"))));
        }
        let Some(at) = place.filter(|p| flow.is_head(*p)) else { continue };
        let Some(stack) = cpa.stack(e) else {
            let name = &flow.program().function(at.func).name;
            return Err(Reason::new(ReasonKind::Incomplete(format!("the calls that lead to the loop in `{name}` are not told apart"))));
        };
        let point = Point { stack: stack.to_vec(), func: at.func, loc: at.loc };
        let about = |t: &Term| live.is_none_or(|l| vars([*t]).iter().all(|v| l.is_live_at(flow.program(), &point, v.id)));
        let state = Term::all(cpa.formulas(e).into_iter().flat_map(Term::all_conjuncts).filter(about));
        known.entry(point).or_default().push(state);
    }
    let mut invariants = BTreeMap::new();
    for point in cut_points(flow)? {
        let states = known.remove(&point).unwrap_or_default();
        invariants.insert(point, Term::any(states));
    }
    Ok(Proof { method: Method::Inductive, invariants })
}

/// All loop heads under their calls. Those below recursive calls are not listed: no proof of this kind covers them.
fn cut_points(flow: &Flow<'_>) -> Result<Vec<Point>, Reason> {
    let (program, orders) = (flow.program(), flow.orders());
    let mut out = Vec::new();
    let mut todo: Vec<(Vec<CallSite>, FuncId)> = vec![(Vec::new(), program.entry)];
    while let Some((stack, func)) = todo.pop() {
        let wto = orders.wto(func);
        out.extend(wto.heads().iter().map(|loc| Point { stack: stack.clone(), func, loc: *loc }));
        for (edge, e) in program.function(func).graph.edges() {
            if let (Op::Call { func: callee, .. }, Some(_)) = (&e.op, wto.position(e.from)) {
                if !orders.calls().is_recursive(*callee) {
                    let mut below = stack.clone();
                    below.push(CallSite { func, edge });
                    todo.push((below, *callee));
                }
            }
        }
        if out.len() + todo.len() > MAX_POINTS {
            return Err(Reason::new(ReasonKind::Incomplete("the program has too many loops and calls for a proof".into())));
        }
    }
    Ok(out)
}
