//! Interval analysis: a range for every scalar at every loop head.
//!
//! An abstract interpretation of the program as if all calls were inlined, along the weak topological order of each function
//! (recursive iteration strategy of Bourdoncle 1993), with widening to thresholds (the constants of the program's conditions) and a
//! few descending steps. Its invariants are hints for other engines: whether they hold is checked where they are used.

mod env;
mod transfer;

use env::Env;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{CallSite, EdgeId, Effect, FuncId, Loc, Op, Point, Program};
use plumb_term::{Budget, Range, Term};
use std::collections::BTreeMap;

/// Descending steps after a loop has been stabilised.
const NARROW: u32 = 2;
/// Plain joins before widening.
const DELAY: u32 = 3;
/// Widenings to thresholds before all bounds are given up.
const THRESHOLD_STEPS: u32 = 40;

/// The facts at each loop head, or nothing if the budget ends first.
pub fn analyse(program: &Program, orders: &Orders<'_>, budget: &Budget) -> Option<BTreeMap<Point, Vec<Term>>> {
    let mut thresholds = Vec::new();
    for f in &program.functions {
        for (_, e) in f.graph.edges() {
            if let Op::Assume(c) | Op::Guard { cond: c, .. } = &e.op {
                transfer::constants(*c, &mut thresholds);
            }
        }
    }
    thresholds.sort_unstable();
    thresholds.dedup();
    let mut a = Analysis { program, orders, budget, thresholds, found: BTreeMap::new(), steps: 0 };
    a.function(&mut Vec::new(), program.entry, Env::default()).ok()?;
    Some(a.found.into_iter().map(|(p, e)| (p, e.facts(program))).collect())
}

struct OutOfBudget;

struct Analysis<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    budget: &'p Budget,
    thresholds: Vec<i128>,
    found: BTreeMap<Point, Env>,
    steps: u64,
}

/// One activation of a function: the states at its locations.
struct Activation {
    func: FuncId,
    entry: Env,
    states: Vec<Option<Env>>,
}

impl Analysis<'_> {
    /// The states at the exit of `func` entered in `entry`; `None` inside if it never returns.
    fn function(&mut self, stack: &mut Vec<CallSite>, func: FuncId, entry: Env) -> Result<Option<Env>, OutOfBudget> {
        let f = self.program.function(func);
        let mut act = Activation { func, entry, states: vec![None; f.graph.num_locs()] };
        let end = self.orders.wto(func).order().len();
        self.sequence(stack, &mut act, 0, end)?;
        Ok(act.states[f.exit.index()].take())
    }

    /// Locations at positions `from..to` of the order, components as a whole.
    fn sequence(&mut self, stack: &mut Vec<CallSite>, act: &mut Activation, from: usize, to: usize) -> Result<(), OutOfBudget> {
        let wto = self.orders.wto(act.func);
        let mut i = from;
        while i < to {
            let l = wto.order()[i];
            if wto.headed_by(l).is_some() {
                let end = self.component_end(act.func, i);
                self.component(stack, act, i, end)?;
                i = end;
            } else {
                act.states[l.index()] = self.arriving(stack, act, l)?;
                i += 1;
            }
        }
        Ok(())
    }

    /// One past the last position of the component whose head stands at `i`.
    fn component_end(&self, func: FuncId, i: usize) -> usize {
        let wto = self.orders.wto(func);
        let head = wto.order()[i];
        let inside = |l: &Loc| wto.components(*l).iter().any(|c| wto.head(*c) == head);
        i + wto.order()[i..].iter().take_while(|l| inside(l)).count()
    }

    fn component(&mut self, stack: &mut Vec<CallSite>, act: &mut Activation, from: usize, to: usize) -> Result<(), OutOfBudget> {
        let wto = self.orders.wto(act.func);
        let head = wto.order()[from];
        for l in &wto.order()[from..to] {
            act.states[l.index()] = None;
        }
        act.states[head.index()] = self.arriving(stack, act, head)?;
        if act.states[head.index()].is_none() {
            return Ok(());
        }
        for round in 0.. {
            self.sequence(stack, act, from + 1, to)?;
            let Some(new) = self.arriving(stack, act, head)? else { break };
            let Some(old) = &mut act.states[head.index()] else { break };
            let thresholds = &self.thresholds;
            let changed = old.join_with(self.program, &new, &mut |old, new| match round {
                r if r < DELAY => new,
                r if r < DELAY + THRESHOLD_STEPS => widen(old, new, thresholds),
                _ => widen(old, new, &[]),
            });
            if !changed {
                break;
            }
        }
        for _ in 0..NARROW {
            let Some(new) = self.arriving(stack, act, head)? else { break };
            act.states[head.index()] = Some(new);
            self.sequence(stack, act, from + 1, to)?;
        }
        if let Some(e) = &act.states[head.index()] {
            let point = Point { stack: stack.clone(), func: act.func, loc: head };
            self.found.insert(point, e.clone());
        }
        Ok(())
    }

    /// The union of what comes in over all edges.
    fn arriving(&mut self, stack: &mut Vec<CallSite>, act: &Activation, l: Loc) -> Result<Option<Env>, OutOfBudget> {
        let f = self.program.function(act.func);
        let mut out = (l == f.entry).then(|| act.entry.clone());
        for id in f.graph.in_edges(l) {
            let Some(before) = &act.states[f.graph.edge(*id).from.index()] else { continue };
            if let Some(after) = self.edge(stack, act.func, *id, before)? {
                match &mut out {
                    None => out = Some(after),
                    Some(o) => {
                        o.join_with(self.program, &after, &mut |_, new| new);
                    }
                }
            }
        }
        Ok(out)
    }

    fn edge(&mut self, stack: &mut Vec<CallSite>, func: FuncId, id: EdgeId, before: &Env) -> Result<Option<Env>, OutOfBudget> {
        self.steps += 1;
        if self.steps % 256 == 0 && self.budget.is_over() {
            return Err(OutOfBudget);
        }
        let program = self.program;
        let graph = &program.function(func).graph;
        let Some(before) = transfer::assume(program, before, not_preempted(graph, id), 0) else { return Ok(None) };
        match &graph.edge(id).op {
            Op::Call { func: callee, args, dst } => {
                if self.orders.calls().is_recursive(*callee) {
                    return Ok(Some(Env::default()));
                }
                let mut entry = before.clone();
                let mut eval = transfer::Eval::new(program, &before);
                let values: Vec<Range> = args.iter().map(|a| eval.range(*a)).collect();
                for (p, r) in program.function(*callee).params.iter().zip(values) {
                    entry.set_var(program, *p, r);
                }
                stack.push(CallSite { func, edge: id });
                let after = self.function(stack, *callee, entry)?;
                stack.pop();
                Ok(after.map(|mut after| {
                    if let (Some(dst), Some(r)) = (dst, program.function(*callee).result) {
                        let value = after.var(program, r);
                        after.set_var(program, *dst, value);
                    }
                    after
                }))
            }
            op => Ok(Effect::of(op, program).and_then(|e| transfer::apply(program, &before, &e))),
        }
    }
}

/// Bounds that grew move to the next threshold, or away.
fn widen(old: Range, new: Range, thresholds: &[i128]) -> Range {
    let lo =
        if new.lo == old.lo { old.lo } else { new.lo.and_then(|l| thresholds[..thresholds.partition_point(|t| *t <= l)].last().copied()) };
    let hi = if new.hi == old.hi { old.hi } else { new.hi.and_then(|h| thresholds.get(thresholds.partition_point(|t| *t < h)).copied()) };
    Range { lo, hi }
}
