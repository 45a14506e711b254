//! Linked structures of any size: what holds of every node.
//!
//! **Problem.** A program builds a list or a tree with `malloc` and walks along it. Its loops run as often as there are nodes, and why nothing goes wrong is said of all of them:
//! members hold certain values, pointers lead to nodes or are null, back pointers lead back.
//!
//! **The picture.** Addresses of the heap are never used again, so the nodes that exist are a range of addresses ([`layout`]), and "every node" is a quantifier over an index: no
//! reachability, no separation. Executions suggest what holds of every node and of those that variables point to ([`candidates`]); the greatest inductive part of that
//! ([`crate::houdini`], with instances for the nodes that a block meets, [`steps`]) is left to the checker, which finds its own instances.
//!
//! **Limits.** Objects of different sizes are no array, and what depends on the order in which pointers are followed rather than on the nodes themselves (a sum over a list, that a list
//! is sorted after it was) is not expressed.
//!
//! Source: the heap as an array of nodes goes back to Burstall (1972); that invariants of all nodes without reachability suffice for many programs is the observation of
//! "quantified heap invariants for object-oriented programs" (Kahsai, Kersten, Rümmer, Schäf, LPAR 2017). Guessing and filtering as in [`crate::guess`].

mod atoms;
mod candidates;
mod layout;
mod seen;
mod steps;
#[cfg(test)]
mod tests;

use crate::guess::sample;
use crate::houdini::Houdini;
use crate::system::{CutId, System};
use candidates::Extent;
use layout::Layout;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_term::visit::{postorder, vars};
use plumb_term::{Budget, Kind, Term};
use plumb_transform::interval;
use plumb_verdict::{Method, Proof, Reason, ReasonKind, Verdict};
use seen::Seen;
use std::collections::BTreeMap;
use std::time::Duration;

/// A question about candidates that takes longer counts against them.
const PATIENCE: Duration = Duration::from_millis(2000);
/// The most time to make a proof shorter: the checker decides it conjunct by conjunct.
const THINNING: Duration = Duration::from_secs(3);

/// Looks for invariants of all nodes; `accept` says whether a candidate is a proof.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), accept: &dyn Fn(&Proof, &Budget) -> bool) -> Verdict {
    search(program, budget, progress, accept).unwrap_or_else(Verdict::Unknown)
}

fn search(
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: &dyn Fn(&Proof, &Budget) -> bool,
) -> Result<Verdict, Reason> {
    let incomplete = |why: &str| Reason::new(ReasonKind::Incomplete(why.into()));
    if program.allocations().next().is_none() {
        return Err(incomplete("no nodes are allocated"));
    }
    let orders = Orders::new(program);
    progress("interval analysis");
    let facts: BTreeMap<Point, Vec<Term>> = interval::analyse(program, &orders, &budget.part(8)).unwrap_or_default();
    let mut system = System::keeping(&[program.heap_top], program, &orders, &BTreeMap::new(), budget)?;
    let scalar = |t: &Term| !postorder([*t]).iter().any(|n| matches!(n.kind(), Kind::Load(..)));
    for c in 0..system.cuts.len() {
        let known = facts.get(&system.cuts[c].point).map_or(&[][..], Vec::as_slice);
        let about = |t: &Term| vars([*t]).iter().all(|v| system.cuts[c].needed.contains(&v.id));
        let known = Term::all(known.iter().copied().filter(|t| scalar(t) && about(t)));
        system.assume(CutId(c), known);
    }
    let layout = Layout::of(program, &system).ok_or_else(|| incomplete("no members of nodes are accessed"))?;
    progress("executions");
    let samples = sample::collect(program, &system, &budget.part(6).at_most(Duration::from_millis(2500)));
    let seen = Seen::new(program, &system, &layout, &samples);
    if !seen.has_links() {
        return Err(incomplete("no execution has linked nodes"));
    }
    let mut last = incomplete("no invariant of all nodes was found");
    // Single atoms are decided soon or not at all; the check that follows takes a part of the time, too.
    for (extent, eighths) in [(Extent::One, 2), (Extent::Two, 6), (Extent::Three, 7)] {
        let part = budget.left().map_or_else(|| budget.clone(), |left| budget.at_most(left * eighths / 8));
        let candidates: Vec<Vec<Term>> =
            (0..system.cuts.len()).map(|c| if c == 0 { Vec::new() } else { seen.candidates(c, extent) }).collect();
        let number: usize = candidates.iter().map(Vec::len).sum();
        progress(&format!("{number} candidates"));
        let found =
            Houdini::prepared(steps::steps(program, &system, &layout, &candidates), &candidates, PATIENCE, &part).and_then(|mut h| {
                h.weaken(&part)?;
                h.concise(THINNING, &part)
            });
        if let Some(found) = found {
            let fact = |p: &Point| facts.get(p).map_or_else(Term::tt, |ts| Term::all(ts.iter().copied()));
            let invariants = system.cuts.iter().zip(found).map(|(c, ts)| (c.point.clone(), Term::all(ts).and(fact(&c.point)))).collect();
            let proof = Proof { method: Method::Inductive, invariants };
            if accept(&proof, &budget.part(2)) {
                return Ok(Verdict::Safe(proof));
            }
            last = incomplete("an invariant of all nodes was found, but not accepted by the checker");
        }
        if budget.is_over() {
            return Err(Reason::new(ReasonKind::Time));
        }
    }
    Err(last)
}
