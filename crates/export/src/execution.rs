//! The execution behind a trace, with everything it did.
//!
//! A verdict carries the inputs alone; replaying them once more, with a recorder, yields the path, the values and the
//! uninitialised cells that were read.

use plumb_cfa::interp::{CellAsk, Discard, Event, Given, Interpreter, Limits, Outcome, Recorder, Replay};
use plumb_cfa::{FuncId, InputSource, Loc, Op, Program};
use plumb_term::{visit, Term, VarId};
use plumb_verdict::Trace;
use std::collections::{BTreeMap, BTreeSet};

/// Events beyond this number are forgotten, oldest first.
const MAX_EVENTS: usize = 1_000_000;

/// A recorded execution that ends in the error.
#[derive(Clone, Debug)]
pub struct Execution {
    /// What happened, oldest first; the beginning may be missing in a very long one.
    pub events: Vec<Event>,
    /// Whether the beginning is there.
    pub complete: bool,
    /// The inputs, all of them.
    pub given: Vec<Given>,
    /// Uninitialised cells that were read, with their contents.
    pub cells: Vec<(CellAsk, u128)>,
    /// The function with the error.
    pub func: FuncId,
    /// The error location in it.
    pub loc: Loc,
}

impl Execution {
    /// Replays a trace; an error is a sentence that says how it ended instead.
    pub fn replay(program: &Program, trace: &Trace) -> Result<Execution, String> {
        let inputs = Replay::new(trace.inputs.iter().map(|i| i.value.clone()), trace.memory.clone());
        let mut machine =
            Interpreter::new(program, Box::new(inputs), Box::new(Discard), Limits::default()).recording(Recorder::last(MAX_EVENTS));
        let outcome = machine.run();
        let Outcome::Error { func, loc } = outcome else {
            return Err(format!("the replayed execution did not reach the error: {outcome:?}"));
        };
        let recorder = machine.recorder().cloned().unwrap_or_default();
        Ok(Execution {
            complete: recorder.events.len() < MAX_EVENTS,
            events: recorder.events.into(),
            given: recorder.given,
            cells: recorder.cells,
            func,
            loc,
        })
    }

    /// The uninitialised variables whose value is read before anything is assigned to them.
    pub fn uninitialised_reads(&self, program: &Program) -> BTreeSet<VarId> {
        let mut needed = BTreeSet::new();
        // Keyed by depth: activations of a recursive function have variables of their own.
        let mut open: BTreeMap<(usize, VarId), ()> = BTreeMap::new();
        for event in &self.events {
            let Some(edge) = event.edge else { continue };
            let op = &program.function(event.func).graph.edge(edge).op;
            let key = |v: VarId| (if program.var(v).func.is_some() { event.depth } else { 0 }, v);
            for var in visit::vars(operands(op)) {
                if open.contains_key(&key(var.id)) {
                    needed.insert(var.id);
                }
            }
            match op {
                Op::Havoc { var, source: InputSource::Uninit(_) } => {
                    open.insert(key(*var), ());
                }
                Op::Assign(updates) => {
                    for (v, _) in updates {
                        open.remove(&key(*v));
                    }
                }
                Op::Havoc { var: v, .. } | Op::Alloc { dst: v, .. } => {
                    open.remove(&key(*v));
                }
                Op::Call { dst: Some(v), .. } | Op::Output { dst: Some(v), .. } => {
                    open.remove(&key(*v));
                }
                _ => {}
            }
        }
        if !self.complete {
            let all = self.given.iter().filter_map(|g| match &g.source {
                InputSource::Uninit(name) => Some(name.as_str()),
                _ => None,
            });
            let names: BTreeSet<&str> = all.collect();
            needed.extend((0..program.vars.len() as u32).map(VarId).filter(|v| names.contains(program.var(*v).name.as_str())));
        }
        needed
    }
}

/// The terms that an operation evaluates.
pub fn operands(op: &Op) -> Vec<Term> {
    match op {
        Op::Assume(t) | Op::Guard { cond: t, .. } | Op::EndLife { addr: t } | Op::Free { addr: t } | Op::Alloc { size: t, .. } => vec![*t],
        Op::Assign(updates) => updates.iter().map(|u| u.1).collect(),
        Op::HavocMem { addr, len, .. } => vec![*addr, *len],
        Op::Call { args, .. } => args.clone(),
        Op::Output { args, .. } => args.iter().map(|a| a.1).collect(),
        Op::Halt { status } => status.iter().copied().collect(),
        Op::Skip | Op::Havoc { .. } | Op::Unsupported(_) => Vec::new(),
    }
}
