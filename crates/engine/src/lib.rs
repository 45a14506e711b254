//! From a program and a budget to a certified answer.
//!
//! [`verify`] runs one named configuration and passes what it claims through the checker: an [`Answer`] says `Safe` only after
//! `check_proof` has accepted the proof, and `Unsafe` only after the interpreter has replayed the trace to the error. No I/O.
//!
//! **The board.** Engines learn from each other: what a run without an answer found to hold at cut points is checked and comes back as
//! [`Answer::facts`]; given to the next run, it is assumed at the loop heads of its program, whatever the engine, and becomes part of its proof.
//! How far the error is at least is not checked: it only spares questions, and an answer without them is certified like any other.

mod config;
mod relocate;
mod strategy;

pub use config::{configs, Config};
pub use strategy::{rule_for, Features, Rule, Step, RULES};

use config::Task;
use plumb_cfa::Program;
use plumb_check::{check_proof, inductive_part, replay, Event, Rejected};
use plumb_term::{Budget, Term};
use plumb_transform::{BackTranslation, Composed, Identity, Known, Promote};
use plumb_verdict::{bound, Facts, Method, Notes, Proof, ReachGraph, Reason, ReasonKind, Trace, Verdict};
use relocate::relocated;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A certified answer.
#[derive(Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The replayed execution, for `Unsafe`.
    pub steps: Vec<Event>,
    /// What the run says of itself, over the variables of the program; figures include the times of search and check.
    pub notes: Notes,
    /// For `Unknown`: what was found to hold beyond what was known, checked.
    pub facts: Facts,
}

/// The most time for checking what a run has learned; it is kept back from the search.
const LEARNING: Duration = Duration::from_millis(500);

/// Pointers that come after those that stood in the way may stand in the way, too; so often they are moved.
const RELOCATIONS: usize = 3;

/// Runs the configuration `name` on a program of which `known` holds at cut points; `None` if there is no such configuration.
pub fn verify(program: &Program, name: &str, known: &Facts, budget: &Budget, progress: &mut dyn FnMut(&str)) -> Option<Answer> {
    let config = configs().iter().find(|c| c.name == name)?;
    let start = Instant::now();
    let (prepared, back) = prepare(program, known);
    let whole = budget;
    let reserve = budget.left().map_or(LEARNING, |left| (left / 10).min(LEARNING));
    let budget = &whole.left().map_or_else(|| whole.clone(), |left| whole.at_most(left.saturating_sub(reserve)));
    let accepted: RefCell<Option<Proof>> = RefCell::default();
    let accept = |p: &Proof, b: &Budget| {
        let proof = back.proof(p.clone());
        let is_one = check_proof(program, &proof, b).is_ok();
        if is_one {
            accepted.replace(Some(proof));
        }
        is_one
    };
    let mut notes = Notes::default();
    notes.figure("configuration", config.name);
    let mut task = Task::new(program, &prepared, known.free, budget, progress, &accept, &mut notes);
    let claim = (config.run)(&mut task);
    let claim = match claim {
        claim if task.is_about_given() => claim,
        Verdict::Safe(proof) => Verdict::Safe(back.proof(proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(trace)),
        unknown => unknown,
    };
    let searched = start.elapsed();
    progress("checking the evidence");
    let (verdict, steps) = match claim {
        // The checker has seen it during the search.
        Verdict::Safe(proof) if accepted.borrow().as_ref() == Some(&proof) => (Verdict::Safe(proof), Vec::new()),
        claim => certify(program, claim, whole),
    };
    if let Verdict::Safe(proof) = &verdict {
        kind(proof, &mut notes);
    }
    notes.figure("search seconds", searched);
    notes.figure("check seconds", start.elapsed() - searched);
    if let Some(graph) = &mut notes.graph {
        translate(graph, back.as_ref());
    }
    let facts = match &verdict {
        Verdict::Unknown(_) => learned(program, &std::mem::take(&mut notes.facts), known, back.as_ref(), whole),
        _ => Facts::default(),
    };
    Some(Answer { verdict, steps, notes, facts })
}

/// What kind of proof it is, where that says how far it reaches: contracts cover any depth of recursion, quantified invariants any size of arrays.
fn kind(proof: &Proof, notes: &mut Notes) {
    if let Method::Contracts { contracts } = &proof.method {
        notes.figure("contracts", contracts.len());
    }
    if let Method::Recorded { records } = &proof.method {
        notes.figure("records", records.len());
    }
    let quantified = proof.invariants.values().filter(|t| !bound(**t).is_empty()).count();
    if quantified > 0 {
        notes.figure("quantified invariants", quantified);
    }
}

/// What of an engine's beliefs holds and is new.
fn learned(program: &Program, believed: &Facts, known: &Facts, back: &dyn BackTranslation, budget: &Budget) -> Facts {
    let free = if believed.free > known.free { believed.free } else { 0 };
    if believed.at.is_empty() {
        return Facts { free, ..Facts::default() };
    }
    let believed = back.proof(Proof { method: Method::Inductive, invariants: believed.at.clone() }).invariants;
    let mut facts = Facts { free, ..inductive_part(program, &Facts::new(believed), budget) };
    for (p, t) in &mut facts.at {
        let old = known.at.get(p).map_or_else(Vec::new, |k| k.conjuncts());
        *t = Term::all(t.conjuncts().into_iter().filter(|c| !old.contains(c)));
    }
    facts.at.retain(|_, t| !t.is_true());
    facts
}

/// Labels over the program as it was given.
fn translate(graph: &mut ReachGraph, back: &dyn BackTranslation) {
    for node in &mut graph.nodes {
        let Some(point) = node.point.take() else { continue };
        let translated = |t: Term| {
            let one = Proof { method: Method::Inductive, invariants: BTreeMap::from([(point.clone(), t)]) };
            back.proof(one).invariants.into_iter().next().unwrap_or((point.clone(), Term::tt()))
        };
        node.known = translated(node.known).1;
        let (there, label) = translated(node.label);
        node.label = label;
        node.point = Some(there);
    }
}

/// The program as engines see it, and the way back: what is known is assumed, and memory that is only accessed at known places becomes
/// variables.
fn prepare<'p>(program: &'p Program, known: &Facts) -> (Cow<'p, Program>, Box<dyn BackTranslation>) {
    let (program, from_known) = match Known(known).apply(program) {
        Some((assuming, back)) => (Cow::Owned(assuming), back),
        None => (Cow::Borrowed(program), Box::new(Identity) as Box<dyn BackTranslation>),
    };
    match Promote.apply(&program) {
        Some((promoted, back)) => (Cow::Owned(promoted), Box::new(Composed(vec![from_known, back]))),
        None => (program, from_known),
    }
}

/// Turns a claim whose evidence is not accepted into `Unknown`.
pub fn certify(program: &Program, claim: Verdict, budget: &Budget) -> (Verdict, Vec<Event>) {
    match claim {
        Verdict::Safe(proof) => match check_proof(program, &proof, budget) {
            Ok(()) => (Verdict::Safe(proof), Vec::new()),
            Err(r) if r.undecided => (Verdict::Unknown(reason(r, ReasonKind::ProofUndecided)), Vec::new()),
            Err(r) => (Verdict::Unknown(reason(r, ReasonKind::ProofRejected)), Vec::new()),
        },
        Verdict::Unsafe(trace) => match replayed(program, trace, budget) {
            Ok((trace, steps)) => (Verdict::Unsafe(trace), steps),
            Err(r) => (Verdict::Unknown(reason(r, ReasonKind::TraceRejected)), Vec::new()),
        },
        Verdict::Unknown(r) => (Verdict::Unknown(r), Vec::new()),
    }
}

/// A trace as it is replayed, and its execution: where pointers from outside stand in the way, they are moved.
fn replayed(program: &Program, mut trace: Trace, budget: &Budget) -> Result<(Trace, Vec<Event>), Rejected> {
    let mut rejected = match replay(program, &trace, budget) {
        Ok(steps) => return Ok((trace, steps)),
        Err(r) => r,
    };
    for _ in 0..RELOCATIONS {
        match relocated(program, &trace, budget).filter(|_| !rejected.undecided) {
            Some(moved) => trace = moved,
            None => break,
        }
        match replay(program, &trace, budget) {
            Ok(steps) => return Ok((trace, steps)),
            Err(r) => rejected = r,
        }
    }
    Err(rejected)
}

fn reason(r: Rejected, kind: fn(String) -> ReasonKind) -> Reason {
    let out = Reason::new(kind(r.why));
    match r.span {
        Some(s) => out.at(s),
        None => out,
    }
}
