//! From a program and a budget to a certified answer.
//!
//! [`verify`] runs one named configuration and passes what it claims through the checker: an [`Answer`] says `Safe` only after
//! `check_proof` has accepted the proof, and `Unsafe` only after the interpreter has replayed the trace to the error. No I/O.

mod config;

pub use config::{configs, default_plan, Config, Step};

use plumb_cfa::Program;
use plumb_check::{check_proof, replay, Event, Rejected};
use plumb_term::Budget;
use plumb_transform::{BackTranslation, Identity, Promote};
use plumb_verdict::{Proof, Reason, ReasonKind, Verdict};
use std::borrow::Cow;
use std::time::Instant;

/// A certified answer.
#[derive(Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The replayed execution, for `Unsafe`.
    pub steps: Vec<Event>,
    /// Facts about the run, in order.
    pub stats: Vec<(String, String)>,
}

/// Runs the configuration `name` on a program; `None` if there is no such configuration.
pub fn verify(program: &Program, name: &str, budget: &Budget, progress: &mut dyn FnMut(&str)) -> Option<Answer> {
    let config = configs().iter().find(|c| c.name == name)?;
    let start = Instant::now();
    let (prepared, back) = prepare(program);
    let accept = |p: &Proof, b: &Budget| check_proof(program, &back.proof(p.clone()), b).is_ok();
    let claim = match (config.run)(&prepared, budget, progress, &accept) {
        Verdict::Safe(proof) => Verdict::Safe(back.proof(proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(trace)),
        unknown => unknown,
    };
    let searched = start.elapsed();
    progress("checking the evidence");
    let (verdict, steps) = certify(program, claim, budget);
    let stats = vec![
        ("configuration".to_owned(), config.name.to_owned()),
        ("search seconds".to_owned(), format!("{:.3}", searched.as_secs_f64())),
        ("check seconds".to_owned(), format!("{:.3}", (start.elapsed() - searched).as_secs_f64())),
    ];
    Some(Answer { verdict, steps, stats })
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
