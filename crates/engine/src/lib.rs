//! From a program and a budget to a certified answer.
//!
//! [`verify`] runs one named configuration and passes what it claims through the checker: an [`Answer`] says `Safe` only after
//! `check_proof` has accepted the proof, and `Unsafe` only after the interpreter has replayed the trace to the error. No I/O.

mod config;
mod strategy;

pub use config::{configs, Config};
pub use strategy::{rule_for, Features, Rule, Step, RULES};

use config::Task;
use plumb_cfa::Program;
use plumb_check::{check_proof, replay, Event, Rejected};
use plumb_term::{Budget, Term};
use plumb_transform::{BackTranslation, Identity, Promote};
use plumb_verdict::{Method, Notes, Proof, ReachGraph, Reason, ReasonKind, Verdict};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Instant;

/// A certified answer.
#[derive(Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The replayed execution, for `Unsafe`.
    pub steps: Vec<Event>,
    /// What the run says of itself, over the variables of the program; figures include the times of search and check.
    pub notes: Notes,
}

/// Runs the configuration `name` on a program; `None` if there is no such configuration.
pub fn verify(program: &Program, name: &str, budget: &Budget, progress: &mut dyn FnMut(&str)) -> Option<Answer> {
    let config = configs().iter().find(|c| c.name == name)?;
    let start = Instant::now();
    let (prepared, back) = prepare(program);
    let accept = |p: &Proof, b: &Budget| check_proof(program, &back.proof(p.clone()), b).is_ok();
    let mut notes = Notes::default();
    notes.figure("configuration", config.name);
    let mut task = Task::new(program, &prepared, budget, progress, &accept, &mut notes);
    let claim = (config.run)(&mut task);
    let claim = match claim {
        claim if task.is_about_given() => claim,
        Verdict::Safe(proof) => Verdict::Safe(back.proof(proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(trace)),
        unknown => unknown,
    };
    let searched = start.elapsed();
    progress("checking the evidence");
    let (verdict, steps) = certify(program, claim, budget);
    notes.figure("search seconds", searched);
    notes.figure("check seconds", start.elapsed() - searched);
    if let Some(graph) = &mut notes.graph {
        translate(graph, back.as_ref());
    }
    Some(Answer { verdict, steps, notes })
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

/// The program as engines see it, and the way back: memory that is only accessed at known places becomes variables.
fn prepare(program: &Program) -> (Cow<'_, Program>, Box<dyn BackTranslation>) {
    match Promote.apply(program) {
        Some((promoted, back)) => (Cow::Owned(promoted), back),
        None => (Cow::Borrowed(program), Box::new(Identity)),
    }
}

/// Turns a claim whose evidence is not accepted into `Unknown`.
pub fn certify(program: &Program, claim: Verdict, budget: &Budget) -> (Verdict, Vec<Event>) {
    match claim {
        Verdict::Safe(proof) => match check_proof(program, &proof, budget) {
            Ok(()) => (Verdict::Safe(proof), Vec::new()),
            Err(r) => (Verdict::Unknown(reason(r, ReasonKind::ProofRejected)), Vec::new()),
        },
        Verdict::Unsafe(trace) => match replay(program, &trace, budget) {
            Ok(steps) => (Verdict::Unsafe(trace), steps),
            Err(r) => (Verdict::Unknown(reason(r, ReasonKind::TraceRejected)), Vec::new()),
        },
        Verdict::Unknown(r) => (Verdict::Unknown(r), Vec::new()),
    }
}

fn reason(r: Rejected, kind: fn(String) -> ReasonKind) -> Reason {
    let out = Reason::new(kind(r.why));
    match r.span {
        Some(s) => out.at(s),
        None => out,
    }
}
