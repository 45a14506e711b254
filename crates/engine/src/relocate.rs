//! Executions with pointers from outside, moved to where memory is.
//!
//! **Problem.** To formulas any address has memory; a solver's model takes the last address of all as readily as any other. The environment lends memory between two borders.
//!
//! **Contract.** [`relocated`] gives each pointer from outside that points to no object of the program a place of its own there: pointers into one page stay
//! together, and so does what the regions that are lent contain at first. The result is an attempt: it is replayed like any trace.

use plumb_cfa::interp::{Ask, CellAsk, Discard, Inputs, Interpreter, Limits, Replay, LENT_FROM};
use plumb_cfa::Program;
use plumb_term::eval::{MemValue, Value};
use plumb_term::{Budget, IBig, VarId};
use plumb_verdict::Trace;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Pointers that are not farther apart stay together.
const PAGE: u64 = 1 << 12;
/// Pages are put so far apart, from here on.
const APART: u64 = 1 << 16;
const HERE: u64 = LENT_FROM + (3 << 28);
/// More pages are not moved.
const MOST_PAGES: usize = 1 << 10;

/// A trace with the pointers from outside elsewhere; nothing if all are in place, or no memory is lent.
pub(crate) fn relocated(program: &Program, trace: &Trace, budget: &Budget) -> Option<Trace> {
    let lent = program.lent_regions();
    if lent.is_empty() {
        return None;
    }
    let takers = takers(program, trace, budget);
    let is_free = |a: u64| a != 0 && program.object_at(a).is_none() && (a >= LENT_FROM || a < program.heap_base);
    let mut pages: BTreeMap<u64, u64> = BTreeMap::new();
    let mut out = trace.clone();
    let mut changed = false;
    for (input, taker) in out.inputs.iter_mut().zip(takers) {
        let (Some(var), Value::Int(value)) = (taker, &input.value) else { continue };
        let Some(address) = u64::try_from(value).ok().filter(|a| program.var(var).c_type.contains('*') && is_free(*a)) else { continue };
        let next = HERE + APART * pages.len() as u64;
        if pages.len() >= MOST_PAGES && !pages.contains_key(&(address / PAGE)) {
            continue;
        }
        let base = *pages.entry(address / PAGE).or_insert(next);
        let there = base + address % PAGE;
        changed |= there != address;
        input.value = Value::Int(IBig::from(there));
    }
    for r in lent {
        if let Some(memory) = out.memory.get_mut(&r) {
            *memory = moved(memory, &pages);
        }
    }
    changed.then_some(out)
}

/// The contents of pages where they are put.
fn moved(memory: &MemValue, pages: &BTreeMap<u64, u64>) -> MemValue {
    let mut out = memory.clone();
    for (page, base) in pages {
        // What a pointer points to may go beyond the page.
        let lo = IBig::from(page * PAGE);
        let hi = &lo + IBig::from(2 * PAGE);
        let shift = IBig::from(*base) - &lo;
        for (from, to, value) in memory.runs() {
            let (from, to) = (from.clone().max(lo.clone()), to.clone().min(hi.clone()));
            if from < to {
                out.fill(from + &shift, to + &shift, value.clone());
            }
        }
    }
    out
}

/// The variables that take the inputs of a trace, as far as its execution goes.
fn takers(program: &Program, trace: &Trace, budget: &Budget) -> Vec<Option<VarId>> {
    let seen: Rc<RefCell<Vec<Option<VarId>>>> = Rc::default();
    let replay = Replay::new(trace.inputs.iter().map(|i| i.value.clone()), trace.memory.clone());
    let watch = Watch { replay, seen: seen.clone() };
    let mut machine = Interpreter::new(program, Box::new(watch), Box::new(Discard), Limits::default()).within(budget.clone()).accelerated();
    machine.run();
    seen.take()
}

/// Inputs that remember who took them.
struct Watch {
    replay: Replay,
    seen: Rc<RefCell<Vec<Option<VarId>>>>,
}

impl Inputs for Watch {
    fn value(&mut self, ask: &Ask<'_>) -> Result<Value, String> {
        self.seen.borrow_mut().push(Some(ask.var));
        self.replay.value(ask)
    }

    fn cell(&mut self, ask: &CellAsk) -> Result<u128, String> {
        self.replay.cell(ask)
    }

    fn printed(&mut self) -> Result<(), String> {
        self.seen.borrow_mut().push(None);
        self.replay.printed()
    }

    fn havoc_mem(&mut self, nth: u64) -> Result<(), String> {
        self.seen.borrow_mut().push(None);
        self.replay.havoc_mem(nth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{Cell, IntTy, Scalar};

    /// Also where addresses end.
    #[test]
    fn contents_go_where_their_page_goes() {
        let last = u64::MAX / PAGE;
        let mut memory = MemValue::zero(Cell::Scalar(Scalar::Int(IntTy::I32)));
        memory.set(IBig::from(last * PAGE + 8), IBig::from(7));
        memory.set(IBig::from(5 * PAGE), IBig::from(9));
        let out = moved(&memory, &BTreeMap::from([(last, HERE)]));
        assert_eq!(out.get(&IBig::from(HERE + 8)), IBig::from(7));
        assert_eq!((out.get(&IBig::from(HERE)), out.get(&IBig::from(5 * PAGE))), (IBig::ZERO, IBig::from(9)));
    }
}
