//! The ascending part: states at loop heads along the weak topological order of each function (the recursive iteration strategy of
//! Bourdoncle 1993), calls analysed in place. A recursive call is not followed: what it leaves is unknown, and the bodies of
//! recursive functions are analysed once, from any state.

use super::env::Env;
use super::transfer::{self, Eval};
use super::value::Interval;
use super::widen::Thresholds;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{CallSite, EdgeId, Effect, FuncId, Loc, Op, Point, Program};
use plumb_term::{Budget, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Descending steps after a loop has been stabilised.
const NARROW: u32 = 2;
/// Plain joins before widening.
const DELAY: u32 = 3;
/// A loop that is entered anew more often than this, because loops around it iterate, goes on from where it was: starting over would
/// take time exponential in the depth of the nest.
const RESTARTS: u32 = 6;
/// Widenings to thresholds before all bounds are given up.
const THRESHOLD_STEPS: u32 = 40;

pub(super) struct OutOfBudget;

/// What is needed of an edge at every visit.
pub(super) struct Plan {
    not_preempted: Term,
    effect: Option<Effect>,
}

pub(super) struct Analysis<'p> {
    pub(super) program: &'p Program,
    pub(super) orders: &'p Orders<'p>,
    budget: &'p Budget,
    thresholds: Thresholds,
    pub(super) found: BTreeMap<Point, Env>,
    plans: Vec<Option<Rc<Vec<Plan>>>>,
    /// The last entry and exit states of a callee under its calls.
    returned: FxHashMap<Vec<CallSite>, (Env, Option<Env>)>,
    steps: u64,
}

/// One activation of a function: the states at its locations.
pub(super) struct Activation {
    pub(super) func: FuncId,
    pub(super) entry: Env,
    pub(super) states: Vec<Option<Env>>,
    /// How often the loop at a location was entered.
    visits: Vec<u32>,
}

impl Activation {
    pub(super) fn new(func: FuncId, entry: Env, locs: usize) -> Activation {
        Activation { func, entry, states: vec![None; locs], visits: vec![0; locs] }
    }
}

/// What to do with a call.
pub(super) type OnCall<'a, 'p> = &'a mut dyn FnMut(&mut Analysis<'p>, &mut Vec<CallSite>, FuncId, Env) -> Result<Option<Env>, OutOfBudget>;

impl<'p> Analysis<'p> {
    pub(super) fn new(program: &'p Program, orders: &'p Orders<'p>, budget: &'p Budget) -> Analysis<'p> {
        let thresholds = Thresholds::of(program);
        let plans = vec![None; program.functions.len()];
        Analysis { program, orders, budget, thresholds, found: BTreeMap::new(), plans, returned: FxHashMap::default(), steps: 0 }
    }

    /// The functions whose bodies are analysed from any state, besides the entry.
    pub(super) fn recursive(&self) -> Vec<FuncId> {
        let all = self.orders.calls().bottom_up(self.program.entry);
        all.into_iter().filter(|f| self.orders.calls().is_recursive(*f) && *f != self.program.entry).collect()
    }

    /// Finds states at the loop heads.
    pub(super) fn ascend(&mut self) -> Result<(), OutOfBudget> {
        self.function(&mut Vec::new(), self.program.entry, Env::default())?;
        for f in self.recursive() {
            self.function(&mut Vec::new(), f, Env::default())?;
        }
        Ok(())
    }

    /// The states at loop heads under calls from the entry.
    pub(super) fn heads(self) -> BTreeMap<Point, Env> {
        let entry = self.program.entry;
        self.found.into_iter().filter(|(p, _)| p.stack.first().map_or(p.func, |s| s.func) == entry).collect()
    }

    /// The states at the exit of `func` entered in `entry`; `None` inside if it never returns.
    fn function(&mut self, stack: &mut Vec<CallSite>, func: FuncId, entry: Env) -> Result<Option<Env>, OutOfBudget> {
        if let Some((e, exit)) = self.returned.get(stack.as_slice()).filter(|_| !stack.is_empty()) {
            if e.same(&entry) {
                return Ok(exit.clone());
            }
        }
        let f = self.program.function(func);
        let mut act = Activation::new(func, entry.clone(), f.graph.num_locs());
        let end = self.orders.wto(func).order().len();
        self.sequence(stack, &mut act, 0, end)?;
        let exit = act.states[f.exit.index()].take();
        if !stack.is_empty() {
            self.returned.insert(stack.clone(), (entry, exit.clone()));
        }
        Ok(exit)
    }

    /// Locations at positions `from..to` of the order, components as a whole.
    fn sequence(&mut self, stack: &mut Vec<CallSite>, act: &mut Activation, from: usize, to: usize) -> Result<(), OutOfBudget> {
        let wto = self.orders.wto(act.func);
        let mut i = from;
        while i < to {
            let l = wto.order()[i];
            if let Some(c) = wto.headed_by(l) {
                let end = wto.span(c).end;
                self.component(stack, act, i, end)?;
                i = end;
            } else {
                act.states[l.index()] = self.arriving(stack, act, l, &mut Analysis::function)?;
                i += 1;
            }
        }
        Ok(())
    }

    fn component(&mut self, stack: &mut Vec<CallSite>, act: &mut Activation, from: usize, to: usize) -> Result<(), OutOfBudget> {
        let wto = self.orders.wto(act.func);
        let head = wto.order()[from];
        act.visits[head.index()] += 1;
        let restart = act.visits[head.index()] <= RESTARTS;
        let before = act.states[head.index()].take();
        for l in &wto.order()[from..to] {
            act.states[l.index()] = None;
        }
        let Some(mut entered) = self.arriving(stack, act, head, &mut Analysis::function)? else { return Ok(()) };
        if let Some(before) = before.filter(|_| !restart) {
            entered.join_with(self.program, &before, &mut |_, new| new);
        }
        act.states[head.index()] = Some(entered);
        for round in 0.. {
            self.sequence(stack, act, from + 1, to)?;
            let Some(new) = self.arriving(stack, act, head, &mut Analysis::function)? else { break };
            let Some(old) = &mut act.states[head.index()] else { break };
            if !old.join_with(self.program, &new, &mut |old, new| self.widen(round, old, new)) {
                break;
            }
        }
        for _ in 0..if restart { NARROW } else { 0 } {
            let Some(new) = self.arriving(stack, act, head, &mut Analysis::function)? else { break };
            if act.states[head.index()].as_ref().is_some_and(|old| old.same(&new)) {
                break;
            }
            act.states[head.index()] = Some(new);
            self.sequence(stack, act, from + 1, to)?;
        }
        if let Some(e) = &act.states[head.index()] {
            let point = Point { stack: stack.clone(), func: act.func, loc: head };
            self.found.insert(point, e.clone());
        }
        Ok(())
    }

    /// The bounds of a loop in a round of its iteration.
    pub(super) fn widen(&self, round: u32, old: Interval, new: Interval) -> Interval {
        if round < DELAY {
            return new;
        }
        self.thresholds.widen(old, new, round >= DELAY + THRESHOLD_STEPS)
    }

    /// The union of what comes in over all edges.
    pub(super) fn arriving(
        &mut self,
        stack: &mut Vec<CallSite>,
        act: &Activation,
        l: Loc,
        on_call: OnCall<'_, 'p>,
    ) -> Result<Option<Env>, OutOfBudget> {
        let f = self.program.function(act.func);
        let mut out = (l == f.entry).then(|| act.entry.clone());
        for id in f.graph.in_edges(l) {
            let Some(before) = &act.states[f.graph.edge(*id).from.index()] else { continue };
            if let Some(after) = self.edge(stack, act.func, *id, before, on_call)? {
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

    fn plan(&mut self, func: FuncId) -> Rc<Vec<Plan>> {
        let program = self.program;
        let plan = self.plans[func.0 as usize].get_or_insert_with(|| {
            let graph = &program.function(func).graph;
            let edge = |id, op| Plan { not_preempted: not_preempted(graph, id), effect: Effect::of(op, program) };
            Rc::new(graph.edges().map(|(id, e)| edge(id, &e.op)).collect())
        });
        plan.clone()
    }

    fn edge(
        &mut self,
        stack: &mut Vec<CallSite>,
        func: FuncId,
        id: EdgeId,
        before: &Env,
        on_call: OnCall<'_, 'p>,
    ) -> Result<Option<Env>, OutOfBudget> {
        self.steps += 1;
        if self.steps % 256 == 0 && self.budget.is_over() {
            return Err(OutOfBudget);
        }
        let program = self.program;
        let plans = self.plan(func);
        let plan = &plans[id.index()];
        let Some(before) = transfer::assume(program, before, plan.not_preempted, 0) else { return Ok(None) };
        if let Op::Call { func: callee, args, dst } = &program.function(func).graph.edge(id).op {
            if self.orders.calls().is_recursive(*callee) {
                return Ok(Some(Env::default()));
            }
            let mut entry = before.clone();
            let mut eval = Eval::new(program, &before);
            let values: Vec<Interval> = args.iter().map(|a| eval.value(*a)).collect();
            for (p, r) in program.function(*callee).params.iter().zip(values) {
                entry.set(program, *p, r);
            }
            stack.push(CallSite { func, edge: id });
            let after = on_call(self, stack, *callee, entry)?;
            stack.pop();
            return Ok(after.map(|mut after| {
                if let (Some(dst), Some(r)) = (dst, program.function(*callee).result) {
                    let value = after.value(program, r);
                    after.set(program, *dst, value);
                }
                after
            }));
        }
        Ok(plan.effect.as_ref().and_then(|e| transfer::apply(program, &before, e)))
    }
}
