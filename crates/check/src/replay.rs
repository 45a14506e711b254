//! The trace replayer: the interpreter runs from the trace's inputs and must arrive at the error.

use crate::proof::Rejected;
use plumb_cfa::interp::{Discard, Event, Interpreter, Limits, Outcome, Recorder, Replay};
use plumb_cfa::Program;
use plumb_term::{Budget, Span};
use plumb_verdict::Trace;

/// Events kept for display: the last ones before the error.
const KEEP: usize = 200_000;

/// Accepts `trace` only if the execution on its inputs reaches an error location without undefined behaviour and without
/// depending on an over-approximation; returns what it did.
pub fn replay(program: &Program, trace: &Trace, budget: &Budget) -> Result<Vec<Event>, Rejected> {
    let values = trace.inputs.iter().map(|i| i.value.clone());
    let inputs = Replay::new(values, trace.memory.clone());
    let mut machine = Interpreter::new(program, Box::new(inputs), Box::new(Discard), Limits::default())
        .within(budget.clone())
        .accelerated()
        .recording(Recorder::last(KEEP));
    let outcome = machine.run();
    let reject = |why: String, span: Option<Span>| Err(Rejected { why, span: span.filter(|s| s.is_known()), undecided: false });
    let undecided = |why: &str| Err(Rejected { why: why.into(), span: None, undecided: true });
    match outcome {
        Outcome::Error { .. } if machine.depends_on_abstraction() => undecided("it depends on a value that plumb does not compute exactly"),
        Outcome::Error { .. } => Ok(machine.recorder().map(|r| r.events.iter().cloned().collect()).unwrap_or_default()),
        Outcome::Exit(status) => reject(format!("the program ended normally with status {status}"), None),
        Outcome::Halted { span, .. } => reject("the program stopped before the error".into(), Some(span)),
        Outcome::Undefined { ub, span } => reject(format!("undefined behaviour before the error: {}", ub.describe()), Some(span)),
        Outcome::Unsupported { sentence, span } => reject(format!("unsupported: {sentence}"), Some(span)),
        Outcome::LimitReached(limit) => undecided(limit.describe()),
        Outcome::BadInput { sentence, span } => reject(sentence, Some(span)),
        Outcome::InternalError { sentence, span } => reject(format!("internal error: {sentence}"), Some(span)),
    }
}
