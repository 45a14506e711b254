//! From a path of blocks to the inputs of an execution.
//!
//! The path's blocks are executed symbolically once more, this time exactly and with the log of inputs that a trace needs; a model of
//! the error's condition at the end of the path gives their values.

use crate::query::{Answer, Queries};
use crate::system::{Step, System};
use crate::trace;
use crate::unroll::{add, Bound, Unroller, BLOCK_POINTS};
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::Program;
use plumb_term::Budget;
use plumb_verdict::{Reason, ReasonKind, Verdict};

/// The verdict that the path's execution gives; nothing if it cannot be executed, and a reason if that is not decided.
pub(crate) fn realise(
    program: &Program,
    orders: &Orders<'_>,
    system: &System,
    path: impl IntoIterator<Item = Step>,
    budget: &Budget,
) -> Result<Option<Verdict>, Reason> {
    let mut unroller = Unroller::new(program, orders);
    let mut queries = Queries::new(program, budget);
    let mut pending = unroller.entry();
    for step in path {
        let Some(wave) = unroller.wave(std::mem::take(&mut pending), Bound::Block, BLOCK_POINTS, budget) else {
            return Err(Reason::new(ReasonKind::Time));
        };
        match step {
            Step::Block(i) => {
                let target = &system.cuts[system.transitions[i].to.0].point;
                for (at, s) in wave.waiting {
                    if at.point() == *target {
                        add(program, &mut pending, Unwound::start(orders, target), s);
                    }
                }
            }
            Step::Error(_) => {
                return match queries.any(wave.errors.iter().map(|e| e.1)) {
                    Answer::Sat(model) => Ok(Some(Verdict::Unsafe(trace::from_model(program, &unroller.asked, &|v| model.var(v))))),
                    Answer::Unsat => Ok(None),
                    Answer::Unknown(why) => Err(Reason::new(why)),
                };
            }
            Step::Unsupported(_) => {
                for (what, span, condition) in wave.unsupported {
                    if !matches!(queries.any([condition]), Answer::Unsat) {
                        return Err(Reason::new(ReasonKind::Unsupported(what)).at(span));
                    }
                }
                return Ok(None);
            }
        }
    }
    Ok(None)
}
