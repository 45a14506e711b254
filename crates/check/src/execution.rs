//! Programs with one execution.
//!
//! A program that takes no input and lets no uninitialised value decide anything has one execution, and the interpreter, which defines what programs mean, shows how it ends.
//! Every iteration is executed: nothing is jumped over. What the encodings leave open (which NaN an operation yields) must not be looked at either.

use crate::proof::Rejected;
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::interp::{Discard, Interpreter, Limits, NoInputs, Outcome};
use plumb_cfa::Program;
use plumb_term::visit::postorder;
use plumb_term::{Budget, FTest, Kind, Span};

/// Accepts only if `program` has one execution, which ends, and not at the error.
pub fn is_the_only_one(program: &Program, budget: &Budget) -> Result<(), Rejected> {
    let reject = |why: String, span: Option<Span>| Err(Rejected { why, span: span.filter(|s| s.is_known()), undecided: false });
    if looks_at_signs(program) {
        return reject("the sign of a NaN may decide how it goes on".into(), None);
    }
    let mut machine = Interpreter::new(program, Box::new(NoInputs), Box::new(Discard), Limits::default()).strict().within(budget.clone());
    match machine.run() {
        Outcome::Exit(_) | Outcome::Halted { .. } if !machine.depends_on_abstraction() => Ok(()),
        Outcome::Exit(_) | Outcome::Halted { .. } => reject("it depends on a value that plumb does not compute exactly".into(), None),
        Outcome::Error { .. } => reject("the execution reaches the error".into(), None),
        Outcome::Undefined { ub, span } => reject(format!("undefined behaviour: {}", ub.describe()), Some(span)),
        Outcome::Unsupported { sentence, span } => reject(format!("unsupported: {sentence}"), Some(span)),
        Outcome::LimitReached(limit) => Err(Rejected { why: limit.describe().into(), span: None, undecided: true }),
        Outcome::BadInput { sentence, span } => reject(sentence, Some(span)),
        Outcome::InternalError { sentence, span } => reject(format!("internal error: {sentence}"), Some(span)),
    }
}

/// Whether a function that can be called looks at the bits of floats.
fn looks_at_signs(program: &Program) -> bool {
    let called = CallGraph::new(program).bottom_up(program.entry);
    let operands = called.into_iter().flat_map(|f| program.function(f).graph.edges().flat_map(|(_, e)| e.op.operands()));
    postorder(operands).iter().any(|t| matches!(t.kind(), Kind::FBits(_) | Kind::FTest(FTest::SignBit, _)))
}
