//! From a path of the graph to the inputs of an execution.
//!
//! The path's blocks are executed symbolically once more, this time exactly and with the log of inputs that a trace needs; a model of
//! the error's condition at the end of the path gives their values.

use super::arg::{NodeId, Step};
use super::{Stop, Ufo};
use crate::query::{Answer, Queries};
use crate::trace;
use crate::unroll::{add, Bound, Unroller, BLOCK_POINTS};
use plumb_cfa::unwind::Unwound;
use plumb_verdict::{Reason, ReasonKind, Verdict};

impl Ufo<'_> {
    /// The verdict that the path's execution gives; nothing if it cannot be executed.
    pub(super) fn realise(&mut self, path: &[(NodeId, Step)]) -> Result<Option<Verdict>, Stop> {
        let mut unroller = Unroller::new(self.program, self.orders);
        let mut queries = Queries::new(self.program, self.budget);
        let mut pending = unroller.entry();
        for (_, step) in path {
            let Some(wave) = unroller.wave(std::mem::take(&mut pending), Bound::Block, BLOCK_POINTS, self.budget) else {
                return Err(Stop::Time);
            };
            match step {
                Step::Block(i) => {
                    let target = &self.system.cuts[self.system.transitions[*i].to.0].point;
                    for (at, s) in wave.waiting {
                        if at.point() == *target {
                            add(self.program, &mut pending, Unwound::start(self.orders, target), s);
                        }
                    }
                }
                Step::Error(_) => {
                    return match queries.any(wave.errors.iter().map(|e| e.1)) {
                        Answer::Sat(model) => {
                            Ok(Some(Verdict::Unsafe(trace::from_model(self.program, &unroller.asked, &|v| model.var(v)))))
                        }
                        Answer::Unsat => Ok(None),
                        Answer::Unknown(ReasonKind::Time) => Err(Stop::Time),
                        Answer::Unknown(why) => Err(Stop::Unsupported(Reason::new(why))),
                    };
                }
                Step::Unsupported(_) => {
                    for (what, span, condition) in wave.unsupported {
                        if !matches!(queries.any([condition]), Answer::Unsat) {
                            return Err(Stop::Unsupported(Reason::new(ReasonKind::Unsupported(what)).at(span)));
                        }
                    }
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
}
