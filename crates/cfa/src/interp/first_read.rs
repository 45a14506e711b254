//! Which uninitialised variables an execution depends on.
//!
//! A variable is *open* from the input that stands for its missing value until something is assigned to it; an operand that reads an open
//! variable makes the execution depend on that value, unless all it computes is the variable's own next value (as `c = c != 0` makes a truth value of
//! whatever a `_Bool` holds): then the variable stays open. The result of a function that returned none is open in its caller, under
//! the name of the result: whoever reads it depends on what the function left there. Works while the execution runs, one event at
//! a time, so that it need not be kept.

use super::record::{Event, Write};
use crate::graph::EdgeId;
use crate::op::{InputSource, Op};
use crate::program::{FuncId, Program, VarKind};
use plumb_term::{visit, VarId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Finds the reads; see the module.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstReads {
    /// Open variables, by the depth of their activation (0 for globals), and the variable whose missing value they hold.
    open: BTreeMap<(usize, VarId), VarId>,
    found: BTreeSet<VarId>,
    /// The variables that an edge reads.
    reads: HashMap<(FuncId, EdgeId), Box<[VarId]>>,
}

impl FirstReads {
    /// The variables whose missing value was read.
    pub(super) fn found(&self) -> &BTreeSet<VarId> {
        &self.found
    }

    /// Takes note of what happened.
    pub(super) fn event(&mut self, program: &Program, event: &Event) {
        let key = |v: VarId| (if program.var(v).func.is_some() { event.depth } else { 0 }, v);
        let Some(edge) = event.edge else {
            self.returned(program, event);
            return;
        };
        let op = &program.function(event.func).graph.edge(edge).op;
        if let Op::Assign(updates) = op {
            let only_itself = |v: VarId, t| visit::vars([t]).iter().all(|u| u.id == v);
            if updates.iter().all(|(v, t)| self.open.contains_key(&key(*v)) && !visit::vars([*t]).is_empty() && only_itself(*v, *t)) {
                return;
            }
        }
        if !self.open.is_empty() {
            let read =
                self.reads.entry((event.func, edge)).or_insert_with(|| visit::vars(op.operands()).into_iter().map(|v| v.id).collect());
            for v in read.iter() {
                if let Some(origin) = self.open.get(&key(*v)) {
                    self.found.insert(*origin);
                }
            }
        }
        match op {
            Op::Havoc { var, source: InputSource::Uninit(_) } => {
                self.open.insert(key(*var), *var);
            }
            Op::Assign(updates) if !self.open.is_empty() => {
                for (v, _) in updates {
                    self.open.remove(&key(*v));
                }
            }
            Op::Havoc { var: v, .. } | Op::Alloc { dst: v, .. } | Op::Call { dst: Some(v), .. } | Op::Output { dst: Some(v), .. } => {
                self.open.remove(&key(*v));
            }
            _ => {}
        }
    }

    /// The caller's variable takes the result of the activation above it.
    fn returned(&mut self, program: &Program, event: &Event) {
        if self.open.is_empty() {
            return;
        }
        let above = self.open.split_off(&(event.depth + 1, VarId(0)));
        let missing = above.into_values().find(|v| program.var(*v).kind == VarKind::Result);
        if let (Some(origin), Some(Write::Var(dst, _))) = (missing, event.writes.first()) {
            let depth = if program.var(*dst).func.is_some() { event.depth } else { 0 };
            self.open.insert((depth, *dst), origin);
        }
    }
}
