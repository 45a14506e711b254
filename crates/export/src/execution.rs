//! The execution behind a trace, with everything it did.
//!
//! A verdict carries the inputs alone; replaying them once more, with a recorder, yields the path, the values and the
//! uninitialised cells that were read.

use plumb_cfa::interp::{CellAsk, Discard, Event, Interpreter, Limits, Outcome, Recorder, Replay, Write};
use plumb_cfa::{FuncId, Loc, Program};
use plumb_term::eval::Value;
use plumb_term::{IBig, VarId};
use plumb_verdict::Trace;
use std::collections::BTreeSet;

/// Events beyond this number are forgotten, oldest first, but for those with inputs.
const MAX_EVENTS: usize = 200_000;

/// A recorded execution that ends in the error.
#[derive(Clone, Debug)]
pub struct Execution {
    /// What happened, oldest first; the beginning may be missing in a very long one.
    pub events: Vec<Event>,
    /// Whether the beginning is there.
    pub complete: bool,
    /// The events that took an input or made an object: all of them, oldest first.
    pub inputs: Vec<Event>,
    /// The uninitialised variables whose value was read before anything was assigned to them.
    pub unset: BTreeSet<VarId>,
    /// Uninitialised cells that were read, with their contents.
    pub cells: Vec<(CellAsk, u128)>,
    /// The memory of the environment that was accessed: addresses and sizes, ascending.
    pub lent: Vec<(u64, u64)>,
    /// The function with the error.
    pub func: FuncId,
    /// The error location in it.
    pub loc: Loc,
}

/// The input that an event took into a variable, as C sees it: a `_Bool` that is not 0 is 1.
pub(crate) fn input(program: &Program, event: &Event, var: VarId) -> Option<Value> {
    let value = event.writes.iter().find_map(|w| match w {
        Write::Var(v, value) if *v == var => value.clone(),
        _ => None,
    })?;
    match &value {
        Value::Int(n) if program.var(var).c_type == "_Bool" && *n != IBig::ZERO => Some(Value::Int(IBig::ONE)),
        _ => Some(value),
    }
}

impl Execution {
    /// Replays a trace; an error is a sentence that says how it ended instead.
    pub fn replay(program: &Program, trace: &Trace) -> Result<Execution, String> {
        let inputs = Replay::new(trace.inputs.iter().map(|i| i.value.clone()), trace.memory.clone());
        let recorder = Recorder::last(MAX_EVENTS).with_inputs();
        let mut machine =
            Interpreter::new(program, Box::new(inputs), Box::new(Discard), Limits::default()).accelerated().recording(recorder);
        let outcome = machine.run();
        let Outcome::Error { func, loc } = outcome else {
            return Err(format!("the replayed execution did not reach the error: {outcome:?}"));
        };
        let recorder = machine.recorder().cloned().unwrap_or_default();
        Ok(Execution {
            complete: recorder.is_complete(),
            unset: recorder.uninitialised_reads(),
            events: recorder.events.into(),
            inputs: recorder.inputs,
            cells: recorder.cells,
            lent: machine.lent(),
            func,
            loc,
        })
    }
}
