//! Invariants guessed from executions.
//!
//! States that executions pass at the cut points suggest what holds there ([`sample`], [`candidates`]); the greatest inductive subset of the suggestions
//! ([`filter`]) strengthens k-induction. What samples suggest is never trusted: the solver drops what is not inductive, and the checker sees the
//! rest. First equations (polynomial ones modulo 2^w, which are what most computations of machines preserve) and bounds; then what
//! holds in phases of loops, too.
//!
//! Source: the scheme is that of Daikon with a prover (Nimmer, Ernst, "Invariant inference for static checking", FSE 2002) and of "guess-and-check"
//! (Sharma et al., "A data driven approach for algebraic loop invariants", ESOP 2013).

mod candidates;
mod equations;
mod filter;
mod sample;

use crate::kinduction;
use crate::query::{Answer, Queries};
use crate::system::{CutId, System};
use crate::ufo::independent;
use candidates::{candidates, Candidates};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_term::visit::postorder;
use plumb_term::{Budget, IBig, Kind, Term};
use plumb_transform::interval;
use plumb_verdict::{Facts, Method, Notes, Proof, Reason, ReasonKind, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Guesses invariants and tries to prove safety with them.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    search(program, budget, progress, notes).unwrap_or_else(Verdict::Unknown)
}

fn search(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Result<Verdict, Reason> {
    let orders = Orders::new(program);
    progress("interval analysis");
    let facts: BTreeMap<Point, Vec<Term>> = interval::analyse(program, &orders, &budget.part(8)).unwrap_or_default();
    let fact = |p: &Point| facts.get(p).map_or_else(Term::tt, |ts| Term::all(ts.iter().copied()));
    let system = System::new(program, &orders, &facts, budget)?;
    progress("executions");
    let samples = sample::collect(program, &system, &budget.part(6).at_most(Duration::from_millis(1500)));
    notes.figure("samples", samples.iter().map(|s| s.any.len()).sum::<usize>());
    let constants = constants(&system);
    for phases in [false, true] {
        progress("candidates");
        let mut left: Vec<Candidates> = (0..system.cuts.len())
            .map(|c| if c == 0 { Candidates::default() } else { candidates(program, &system, CutId(c), &samples[c], &constants, phases) })
            .collect();
        notes.figure("candidates", left.iter().map(|c| c.linear.len() + c.nonlinear.len()).sum::<usize>());
        progress("inductive candidates");
        let part = if phases { budget.clone() } else { budget.part(2) };
        let mut queries = Queries::new(program, &part);
        if !filter::greatest(&system, &mut left, &mut queries, &part) {
            continue;
        }
        notes.figure("inductive candidates", left.iter().map(|c| c.linear.len() + c.nonlinear.len()).sum::<usize>());
        let known: Vec<Term> = left.into_iter().map(|c| Term::all(independent(c.linear, &part)).and(Term::all(c.nonlinear))).collect();
        let invariants: BTreeMap<Point, Term> =
            system.cuts.iter().zip(&known).map(|(c, t)| (c.point.clone(), t.and(fact(&c.point)))).collect();
        if excluded(&system, &known, &mut queries) {
            return Ok(Verdict::Safe(Proof { method: Method::Inductive, invariants }));
        }
        notes.facts = Facts::new(invariants.clone());
        match kinduction::run_with(program, invariants, &part.part(2), progress) {
            Verdict::Unknown(_) => {}
            answer => return Ok(answer),
        }
    }
    let kind = if budget.is_over() { ReasonKind::Time } else { ReasonKind::Incomplete("what executions suggest is no proof".into()) };
    Err(Reason::new(kind))
}

/// Whether no error can be reached from what is known at the cut points.
fn excluded(system: &System, known: &[Term], queries: &mut Queries<'_>) -> bool {
    let errors = system.errors.iter().map(|(c, t)| (c, t)).chain(system.unsupported.iter().map(|u| (&u.0, &u.1)));
    let mut all = errors.map(|(c, t)| known[c.0].and(*t));
    all.all(|t| matches!(queries.quick(t, Duration::from_secs(1)), Answer::Unsat))
}

/// The constants of the blocks, and their neighbours.
fn constants(system: &System) -> BTreeSet<IBig> {
    let conditions = system.transitions.iter().map(|t| t.condition).chain(system.errors.iter().map(|e| e.1));
    let values = system.transitions.iter().flat_map(|t| t.values.iter().copied());
    let mut out = BTreeSet::from([IBig::ZERO]);
    for t in postorder(conditions.chain(values)) {
        let found = match t.kind() {
            Kind::Int(n) => n.clone(),
            Kind::Lin(l) => l.constant.clone(),
            _ => continue,
        };
        for k in [-1, 0, 1] {
            out.extend([&found + IBig::from(k), -(&found + IBig::from(k))]);
        }
    }
    out
}
