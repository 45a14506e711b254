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
pub(crate) mod sample;

use crate::kinduction;
use crate::query::{Answer, Queries};
use crate::system::{CutId, System};
use crate::ufo::independent;
use candidates::{candidates, Candidates};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_smt::Encoding;
use plumb_term::visit::postorder;
use plumb_term::{Budget, IBig, Kind, Term};
use plumb_transform::interval;
use plumb_verdict::{Facts, Method, Notes, Proof, Reason, ReasonKind, Verdict};
use sample::Samples;
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
    let executions = Executions::new(program, &system, budget);
    notes.figure("samples", executions.samples.iter().map(|s| s.any.len()).sum::<usize>());
    let rounds: &[bool] = if executions.are_hard() { &[false, true] } else { &[true] };
    for hard in rounds {
        let round = if *hard { budget.clone() } else { budget.part(2) };
        let mut strongest = None;
        for phases in [false, true] {
            progress("inductive candidates");
            let part = round.part(if phases { 2 } else { 3 });
            let Some(known) = executions.inductive(Which { phases, hard: *hard }, &part, notes) else { continue };
            let invariants: BTreeMap<Point, Term> =
                system.cuts.iter().zip(&known).map(|(c, t)| (c.point.clone(), t.and(fact(&c.point)))).collect();
            if excluded(&system, &known, &mut Queries::new(program, &part)) {
                return Ok(Verdict::Safe(Proof { method: Method::Inductive, invariants }));
            }
            strongest = Some(invariants);
        }
        let Some(invariants) = strongest else { continue };
        notes.facts = Facts::new(invariants.clone());
        match kinduction::run_with(program, invariants, &round, progress) {
            Verdict::Unknown(_) => {}
            answer => return Ok(answer),
        }
    }
    let kind = if budget.is_over() { ReasonKind::Time } else { ReasonKind::Incomplete("what executions suggest is no proof".into()) };
    Err(Reason::new(kind))
}

/// What executions suggest and is inductive, for algorithms that need invariants; nothing if the budget is over first.
pub fn invariants(program: &Program, budget: &Budget) -> BTreeMap<Point, Term> {
    let orders = Orders::new(program);
    let Ok(system) = System::new(program, &orders, &BTreeMap::new(), budget) else { return BTreeMap::new() };
    let executions = Executions::new(program, &system, budget);
    let mut out: BTreeMap<Point, Term> = BTreeMap::new();
    for phases in [false, true] {
        let which = Which { phases, hard: true };
        let found = executions.inductive(which, &budget.part(2), &mut Notes::default()).unwrap_or_default();
        for (cut, t) in system.cuts.iter().zip(found).filter(|(_, t)| !t.is_true()) {
            let known = out.entry(cut.point.clone()).or_insert_with(Term::tt);
            *known = known.and(t);
        }
    }
    out
}

/// Which candidates are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Which {
    /// Those of phases of loops, too.
    phases: bool,
    /// Bounds of what is computed by products, too: most are not inductive, and that is hard to see.
    hard: bool,
}

/// The states that executions pass at the cut points of a program.
struct Executions<'a> {
    program: &'a Program,
    system: &'a System,
    samples: Vec<Samples>,
    constants: BTreeSet<IBig>,
}

impl<'a> Executions<'a> {
    fn new(program: &'a Program, system: &'a System, budget: &Budget) -> Executions<'a> {
        let samples = sample::collect(program, system, &budget.part(6).at_most(Duration::from_millis(1500)));
        Executions { program, system, samples, constants: constants(system) }
    }

    /// What they suggest at a cut point.
    fn suggested(&self, cut: usize, which: Which) -> Candidates {
        let mut out = candidates(self.program, self.system, CutId(cut), &self.samples[cut], &self.constants, which.phases);
        out.linear.retain(|t| which.hard || !filter::is_hard(self.system, cut, *t));
        out
    }

    /// Whether there are hard candidates.
    fn are_hard(&self) -> bool {
        let at = |c: usize| self.suggested(c, Which { phases: true, hard: true }).linear;
        (1..self.system.cuts.len()).any(|c| at(c).iter().any(|t| filter::is_hard(self.system, c, *t)))
    }

    /// What of the suggestions is inductive, by cut point; nothing if the budget is over first.
    fn inductive(&self, which: Which, budget: &Budget, notes: &mut Notes) -> Option<Vec<Term>> {
        let cuts = 0..self.system.cuts.len();
        let mut left: Vec<Candidates> = cuts.map(|c| if c == 0 { Candidates::default() } else { self.suggested(c, which) }).collect();
        let number = |left: &[Candidates]| left.iter().map(|c| c.linear.len() + c.nonlinear.len()).sum::<usize>();
        notes.figure("candidates", number(&left));
        // Most of the questions are about sums.
        let mut queries = Queries::new(self.program, budget).preferring(Encoding::Int);
        if !filter::greatest(self.system, &mut left, &mut queries, budget) {
            return None;
        }
        notes.figure("inductive candidates", number(&left));
        Some(left.into_iter().map(|c| Term::all(independent(c.linear, budget)).and(Term::all(c.nonlinear))).collect())
    }
}

/// Whether no error can be reached from what is known at the cut points.
fn excluded(system: &System, known: &[Term], queries: &mut Queries<'_>) -> bool {
    let errors = system.errors.iter().map(|(c, t)| (c, t)).chain(system.unsupported.iter().map(|u| (&u.0, &u.1)));
    let mut all = errors.map(|(c, t)| known[c.0].and(*t));
    all.all(|t| matches!(queries.patiently(t, Duration::from_secs(1)), Answer::Unsat))
}

/// The constants of the blocks, and their neighbours.
pub(crate) fn constants(system: &System) -> BTreeSet<IBig> {
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
