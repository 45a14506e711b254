//! What an execution did, for display and for traces.

use super::first_read::FirstReads;
use super::inputs::CellAsk;
use crate::graph::EdgeId;
use crate::op::InputSource;
use crate::program::{FuncId, Program};
use plumb_term::eval::Value;
use plumb_term::{Scalar, Span, VarId};
use std::collections::{BTreeSet, VecDeque};

/// A change of the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// A variable took a value; none if that is uninitialised.
    Var(VarId, Option<Value>),
    /// A scalar was written to memory.
    Memory {
        /// The address.
        addr: u64,
        /// The type.
        ty: Scalar,
        /// The value; none if that is uninitialised.
        value: Option<Value>,
    },
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The depth of the call stack, from 0.
    pub depth: usize,
    /// The function.
    pub func: FuncId,
    /// The edge that was crossed; none for the return to this function, after which the call's target has its value.
    pub edge: Option<EdgeId>,
    /// What it changed.
    pub writes: Vec<Write>,
}

/// A value that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// Where it comes from.
    pub source: InputSource,
    /// Where it was asked for.
    pub span: Span,
    /// The value; none if it stays uninitialised (strict mode).
    pub value: Option<Value>,
}

/// Records events: all, or the last ones; and, where asked, whatever a test needs of the whole execution, however long that is.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The most events kept; none for all.
    keep: Option<usize>,
    /// How many events there were.
    seen: u64,
    /// The events, oldest first.
    pub events: VecDeque<Event>,
    /// All inputs, in program order.
    pub given: Vec<Given>,
    /// All uninitialised cells that were read, in the order of their first reading, with their contents.
    pub cells: Vec<(CellAsk, u128)>,
    /// With [`Recorder::with_inputs`]: all events that took an input or made an object, oldest first.
    pub inputs: Vec<Event>,
    first_reads: Option<FirstReads>,
}

impl Recorder {
    /// Keeps everything.
    pub fn full() -> Recorder {
        Recorder::default()
    }

    /// Keeps the last `n` events (and all inputs).
    pub fn last(n: usize) -> Recorder {
        Recorder { keep: Some(n), ..Recorder::default() }
    }

    /// Keeps the events in which values come in and objects begin, however many others there are, and finds
    /// [`Recorder::uninitialised_reads`].
    #[must_use]
    pub fn with_inputs(mut self) -> Recorder {
        self.first_reads = Some(FirstReads::default());
        self
    }

    /// Whether no event was forgotten.
    pub fn is_complete(&self) -> bool {
        self.seen == self.events.len() as u64
    }

    /// With [`Recorder::with_inputs`]: the uninitialised variables whose value was read before anything was assigned to them.
    pub fn uninitialised_reads(&self) -> BTreeSet<VarId> {
        self.first_reads.as_ref().map(|f| f.found().clone()).unwrap_or_default()
    }

    /// Events that are not recorded: those before them are forgotten, so that what is kept has no gap.
    pub(super) fn skip(&mut self, events: u64) {
        self.seen = self.seen.saturating_add(events);
        self.events.clear();
    }

    pub(super) fn push(&mut self, program: &Program, event: Event) {
        if let Some(first_reads) = &mut self.first_reads {
            first_reads.event(program, &event);
            if event.edge.is_some_and(|e| program.function(event.func).graph.edge(e).op.takes_input()) {
                self.inputs.push(event.clone());
            }
        }
        self.seen += 1;
        if self.keep == Some(0) {
            return;
        }
        if self.keep.is_some_and(|n| self.events.len() >= n) {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }
}
