//! The check at the end: with the states at loop heads as given, one pass over everything computes the states in between and what
//! arrives at the heads again. Where that is more than was given, the head takes it in and the pass is repeated. So the states at heads
//! are inductive in the abstract, hence also for the checker.

use super::env::Env;
use super::fixpoint::{Activation, Analysis, OutOfBudget};
use plumb_cfa::{CallSite, FuncId, Point};

impl<'p> Analysis<'p> {
    /// The states at all locations, by function.
    pub(super) fn settle(&mut self) -> Result<Vec<Vec<Option<Env>>>, OutOfBudget> {
        let mut round = 0;
        loop {
            let mut pass =
                Pass { round, stable: true, states: self.program.functions.iter().map(|f| vec![None; f.graph.num_locs()]).collect() };
            pass.function(self, &mut Vec::new(), self.program.entry, Env::default())?;
            for f in self.recursive() {
                pass.function(self, &mut Vec::new(), f, Env::default())?;
            }
            if pass.stable {
                return Ok(pass.states);
            }
            round += 1;
        }
    }
}

struct Pass {
    round: u32,
    stable: bool,
    states: Vec<Vec<Option<Env>>>,
}

impl Pass {
    fn function(&mut self, a: &mut Analysis<'_>, stack: &mut Vec<CallSite>, func: FuncId, entry: Env) -> Result<Option<Env>, OutOfBudget> {
        let program = a.program;
        let f = program.function(func);
        let mut act = Activation::new(func, entry, f.graph.num_locs());
        let wto = a.orders.wto(func);
        for l in wto.order() {
            let point = Point { stack: stack.clone(), func, loc: *l };
            let given = wto.headed_by(*l).and_then(|_| a.found.get(&point).cloned());
            act.states[l.index()] = match given {
                Some(e) => Some(e),
                None => a.arriving(stack, &act, *l, &mut |a, s, f, e| self.function(a, s, f, e))?,
            };
        }
        for head in wto.heads() {
            let Some(new) = a.arriving(stack, &act, *head, &mut |a, s, f, e| self.function(a, s, f, e))? else { continue };
            let point = Point { stack: stack.clone(), func, loc: *head };
            let changed = match a.found.remove(&point) {
                None => {
                    a.found.insert(point, new);
                    true
                }
                Some(mut old) => {
                    let changed = old.join_with(program, &new, &mut |old, new| a.widen(self.round, old, new));
                    a.found.insert(point, old);
                    changed
                }
            };
            self.stable &= !changed;
        }
        for (known, new) in self.states[func.0 as usize].iter_mut().zip(&act.states) {
            match (known.as_mut(), new) {
                (Some(known), Some(new)) => {
                    known.join_with(program, new, &mut |_, new| new);
                }
                (None, Some(new)) => *known = Some(new.clone()),
                _ => {}
            }
        }
        Ok(act.states[f.exit.index()].take())
    }
}
