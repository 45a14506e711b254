//! The checker's own composition of edges: symbolic execution of an unwinding with paths merged where they join.
//!
//! Starting from one point and state, [`Executor::run`] crosses all edges, in the order of the unwinding, so that every
//! point is visited once, with the conditions and values of all paths to it merged. A [`Policy`] decides where to stop.
//! What comes back are formulas over the variables at the start (version 0) and fresh inputs.
//!
//! A call of a function that has a contract is crossed in one step: its precondition becomes an obligation, all it may write takes any
//! value, and its postcondition is assumed ([`crate::contracts`]).

use crate::contracts::{Contracts, Summary};
use plumb_cfa::choice::not_preempted;
use plumb_cfa::store::Store;
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::{Edge, Effect, FuncId, Op, Point, Program};
use plumb_term::visit::{substitute, Rewriter};
use plumb_term::{Budget, Kind, Span, Term, Var, VarId, VarTy};
use plumb_verdict::AT_ENTRY;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A symbolic state: the conjunction of conditions under which it is reached, and the values of the variables then.
#[derive(Clone, Debug, Default)]
pub struct State {
    path: Vec<Term>,
    store: Store,
}

impl State {
    /// The condition of reaching this state.
    pub fn condition(&self) -> Term {
        Term::all(self.path.iter().copied())
    }

    /// A state reached under `condition`, in which no variable has been written.
    pub fn assuming(condition: Term) -> State {
        State { path: vec![condition], store: Store::default() }
    }

    /// `t`, which speaks of the program's variables, in this state at point `at`.
    pub fn value(&self, program: &Program, orders: &Orders<'_>, at: &Unwound, t: Term) -> Term {
        self.value_with(program, orders, at, t, &FxHashMap::default())
    }

    fn value_with(&self, program: &Program, orders: &Orders<'_>, at: &Unwound, t: Term, inputs: &FxHashMap<VarId, Term>) -> Term {
        Rewriter::new().rewrite(t, &mut |n| match n.kind() {
            Kind::Var(v) if v.id >= VarId::FIRST_AUX => inputs.get(&v.id).copied(),
            Kind::Var(v) if v.version == 0 => Some(self.store.get(program, orders.level(at, v.id), v.id)),
            _ => None,
        })
    }

    /// Adds a condition; false if the state is then obviously unreachable.
    pub fn assume(&mut self, condition: Term) -> bool {
        if !condition.is_true() {
            self.path.push(condition);
        }
        !condition.is_false()
    }

    /// The union with another state: common conditions stay, the rest becomes a disjunction that also selects values.
    pub fn join(&mut self, program: &Program, other: State) {
        let common = self.path.iter().zip(&other.path).take_while(|(a, b)| a == b).count();
        let own = Term::all(self.path.drain(common..));
        let theirs = Term::all(other.path[common..].iter().copied());
        self.store.join(program, own, &other.store);
        self.assume(own.or(theirs));
    }
}

/// What to do at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Go on.
    Continue,
    /// Keep the state reached here and do not go on.
    Stop,
}

/// Decides where an execution stops.
pub trait Policy {
    /// Asked at every loop head that is reached (not at the start itself), and at every callee's entry.
    fn arrive(&mut self, at: &Unwound) -> Decision;
}

/// Where executions ended.
#[derive(Debug, Default)]
pub struct Ends {
    /// Points where the policy stopped.
    pub stopped: Vec<(Unwound, State)>,
    /// Error locations reached.
    pub errors: Vec<(Unwound, State)>,
    /// Unsupported constructs reached, with the condition.
    pub unsupported: Vec<(String, Span, Term)>,
    /// Returns of the function in which the execution started.
    pub returned: Vec<(Unwound, State)>,
    /// Calls of functions with contracts, with the condition that the precondition does not hold there.
    pub required: Vec<(FuncId, Span, Term)>,
}

/// Why an execution could not be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The budget is spent.
    Budget,
    /// The program's unwinding is larger than the limit on visited points.
    TooLarge,
}

/// How many points one execution may visit.
const MAX_POINTS: usize = 4_000_000;

/// Executes unwindings of one program.
#[derive(Debug)]
pub struct Executor<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    contracts: &'p Contracts,
    next_input: u32,
}

impl<'p> Executor<'p> {
    /// For one program, whose functions have these contracts.
    pub fn new(program: &'p Program, orders: &'p Orders<'p>, contracts: &'p Contracts) -> Executor<'p> {
        Executor { program, orders, contracts, next_input: VarId::FIRST_AUX.0 }
    }

    /// All executions from `start` in `state` until the policy stops them or they end.
    pub fn run(&mut self, start: &Point, state: State, policy: &mut dyn Policy, budget: &Budget) -> Result<Ends, Failure> {
        let mut ends = Ends::default();
        let mut pending: BTreeMap<Unwound, State> = BTreeMap::new();
        pending.insert(Unwound::start(self.orders, start), state);
        let mut visited = 0;
        while let Some((at, state)) = pending.pop_first() {
            visited += 1;
            if visited > MAX_POINTS {
                return Err(Failure::TooLarge);
            }
            if visited % 64 == 0 && budget.is_over() {
                return Err(Failure::Budget);
            }
            self.leave(at, state, policy, &mut pending, &mut ends);
        }
        Ok(ends)
    }

    fn leave(&mut self, at: Unwound, state: State, policy: &mut dyn Policy, pending: &mut BTreeMap<Unwound, State>, ends: &mut Ends) {
        let program = self.program;
        let function = program.function(at.func);
        if function.errors.contains(&at.loc) {
            ends.errors.push((at, state));
            return;
        }
        if at.loc == function.exit {
            self.leave_function(&at, state, policy, pending, ends);
            return;
        }
        let out = function.graph.out_edges(at.loc);
        let mut state = Some(state);
        for (i, id) in out.iter().enumerate() {
            // The last edge takes the state, the others a copy.
            let Some(mut s) = (if i + 1 == out.len() { state.take() } else { state.clone() }) else { break };
            let edge = function.graph.edge(*id);
            let turn = s.value(program, self.orders, &at, not_preempted(&function.graph, *id));
            if !s.assume(turn) {
                continue;
            }
            match &edge.op {
                Op::Call { func, args, .. } => {
                    let values: Vec<Term> = args.iter().map(|a| s.value(program, self.orders, &at, *a)).collect();
                    if let Some(summary) = self.contracts.get(*func) {
                        if let Some((next, s)) = self.rely(&at, s, edge, summary, &values, ends) {
                            let head = self.orders.wto(next.func).headed_by(next.loc).is_some();
                            arrive(program, next, s, head, policy, pending, ends);
                        }
                        continue;
                    }
                    let callee = at.call(self.orders, *id, *func);
                    for (p, v) in program.function(*func).params.iter().zip(values) {
                        s.store.set(self.orders.level(&callee, *p), *p, v);
                    }
                    arrive(program, callee, s, true, policy, pending, ends);
                }
                Op::Unsupported(what) => ends.unsupported.push((what.clone(), edge.span, s.condition())),
                op => {
                    let Some(effect) = Effect::of(op, program) else { continue };
                    if self.cross(&at, &mut s, &effect) {
                        if let Some(next) = at.step(self.orders, edge.to) {
                            let head = self.orders.wto(next.func).headed_by(next.loc).is_some();
                            arrive(program, next, s, head, policy, pending, ends);
                        }
                    }
                }
            }
        }
    }

    fn leave_function(
        &mut self,
        at: &Unwound,
        mut s: State,
        policy: &mut dyn Policy,
        pending: &mut BTreeMap<Unwound, State>,
        ends: &mut Ends,
    ) {
        let program = self.program;
        let Some((site, next)) = at.ret(self.orders) else {
            if at.depth() == 0 {
                ends.returned.push((at.clone(), s));
            }
            return;
        };
        if let Op::Call { dst: Some(dst), .. } = &program.function(site.func).graph.edge(site.edge).op {
            if let Some(r) = program.function(at.func).result {
                let value = s.store.get(program, self.orders.level(at, r), r);
                s.store.set(self.orders.level(&next, *dst), *dst, value);
            }
        }
        let head = self.orders.wto(next.func).headed_by(next.loc).is_some();
        arrive(program, next, s, head, policy, pending, ends);
    }

    /// Crosses a call by the callee's contract: the precondition is required, what the callee may write takes any value, the postcondition
    /// is assumed.
    ///
    /// The locals of functions that are active here keep their values: the callee's activations of the same functions have their own.
    fn rely(
        &mut self,
        at: &Unwound,
        mut s: State,
        edge: &Edge,
        summary: &Summary,
        args: &[Term],
        ends: &mut Ends,
    ) -> Option<(Unwound, State)> {
        let program = self.program;
        let function = program.function(summary.func);
        let before = s.store.clone();
        // A contract speaks of parameters, the result and variables of no function, and of nothing else.
        let at_call = |v: Var| match function.params.iter().position(|p| *p == v.id) {
            Some(i) => args[i],
            None => before.get(program, 0, v.id),
        };
        let pre = substitute(summary.contract.pre, &|v| Some(at_call(v)));
        ends.required.push((summary.func, edge.span, s.condition().and(pre.not())));
        for v in &summary.writes {
            let info = program.var(*v);
            if info.func.is_none_or(|f| at.activations(f) == 0) {
                let any = self.fresh(info.ty);
                s.store.set(self.orders.level(at, *v), *v, any);
            }
        }
        let result = function.result.map(|r| (r, self.fresh(program.var(r).ty)));
        let post = substitute(summary.contract.post, &|v| match result {
            _ if v.version == AT_ENTRY => Some(at_call(v)),
            Some((r, value)) if v.id == r => Some(value),
            _ => Some(s.store.get(program, 0, v.id)),
        });
        let next = at.step(self.orders, edge.to)?;
        if let (Op::Call { dst: Some(dst), .. }, Some((_, value))) = (&edge.op, result) {
            s.store.set(self.orders.level(&next, *dst), *dst, value);
        }
        s.assume(post).then_some((next, s))
    }

    /// A symbol that nothing else speaks of.
    fn fresh(&mut self, ty: VarTy) -> Term {
        let var = Var::new(VarId(self.next_input), ty);
        self.next_input += 1;
        Term::var(var)
    }

    /// Applies an effect; false if no execution crosses.
    fn cross(&mut self, at: &Unwound, s: &mut State, effect: &Effect) -> bool {
        let mut inputs = FxHashMap::default();
        for input in &effect.inputs {
            inputs.insert(input.var.id, self.fresh(input.var.ty));
        }
        let program = self.program;
        let condition = s.value_with(program, self.orders, at, effect.assume, &inputs);
        if !s.assume(condition) {
            return false;
        }
        let values: Vec<Term> = effect.updates.iter().map(|(_, t)| s.value_with(program, self.orders, at, *t, &inputs)).collect();
        for ((v, _), value) in effect.updates.iter().zip(values) {
            s.store.set(self.orders.level(at, *v), *v, value);
        }
        true
    }
}

fn arrive(
    program: &Program,
    at: Unwound,
    s: State,
    ask: bool,
    policy: &mut dyn Policy,
    pending: &mut BTreeMap<Unwound, State>,
    ends: &mut Ends,
) {
    if ask && policy.arrive(&at) == Decision::Stop {
        ends.stopped.push((at, s));
        return;
    }
    match pending.entry(at) {
        std::collections::btree_map::Entry::Vacant(e) => {
            e.insert(s);
        }
        std::collections::btree_map::Entry::Occupied(mut e) => e.get_mut().join(program, s),
    }
}
