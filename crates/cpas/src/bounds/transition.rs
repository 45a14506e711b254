//! The transition system of a loop: its loop-free ways from the head back to the head.
//!
//! A way is a condition and new values over the state at the head and inputs. Where it passes an inner loop, the state when that loop's head is left for the last
//! time takes its place: what the inner loop changes may have any value then. A call changes everything that is not the function's own.

use plumb_cfa::choice::not_preempted;
use plumb_cfa::loops::{Loop, Loops};
use plumb_cfa::{Effect, FuncId, Graph, Loc, Op, Program};
use plumb_term::visit::substitute;
use plumb_term::{Term, Var, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// More ways are too many for a proof rule.
const MAX_WAYS: usize = 64;
/// And so are more steps to find them.
const MAX_STEPS: usize = 5_000;

/// A way through a piece of a function.
#[derive(Clone, Debug)]
pub struct Way {
    known: Term,
    condition: Term,
    values: BTreeMap<VarId, Term>,
    inputs: u32,
    /// Heads of loops that have been passed, and how many calls of the function itself.
    passed: BTreeSet<Loc>,
    calls: Vec<Vec<Term>>,
}

impl Way {
    /// Nothing has happened, but something is known.
    pub fn given(known: Term) -> Way {
        Way { known, condition: Term::tt(), values: BTreeMap::new(), inputs: 0, passed: BTreeSet::new(), calls: Vec::new() }
    }

    /// What holds at its start whenever it is taken.
    pub fn condition(&self) -> Term {
        self.known.and(self.condition)
    }

    /// When it is taken, where what is known of its start holds.
    pub fn own_condition(&self) -> Term {
        self.condition
    }

    /// A term over the state at its end as one over the state at its start.
    pub fn before(&self, t: Term) -> Term {
        substitute(t, &|v| self.values.get(&v.id).copied())
    }

    /// The arguments, over the state at its start, of the calls on it of the function it goes through.
    pub fn calls(&self) -> &[Vec<Term>] {
        &self.calls
    }

    fn havoc(&mut self, program: &Program, v: VarId) {
        let fresh = Term::var(Var::new(VarId(VarId::FIRST_AUX.0 + self.inputs), program.var(v).ty));
        self.inputs += 1;
        self.values.insert(v, fresh);
    }

    /// With one more operation; nothing if no execution takes it. An error if it is not known what it does.
    fn with(mut self, program: &Program, func: FuncId, turn: Term, op: &Op) -> Result<Option<Way>, ()> {
        self.condition = self.condition.and(self.before(turn));
        match op {
            Op::Unsupported(_) => return Err(()),
            Op::Call { func: callee, args, dst } => {
                if *callee == func {
                    let args = args.iter().map(|a| self.before(*a)).collect();
                    self.calls.push(args);
                }
                let shared = (0..program.vars.len() as u32).map(VarId).filter(|v| program.var(*v).func.is_none());
                shared.chain(*dst).for_each(|v| self.havoc(program, v));
            }
            _ => {
                let Some(effect) = Effect::of(op, program) else { return Err(()) };
                let mut inputs: BTreeMap<VarId, Term> = BTreeMap::new();
                for i in &effect.inputs {
                    let fresh = Var { id: VarId(VarId::FIRST_AUX.0 + self.inputs), ..i.var };
                    self.inputs += 1;
                    inputs.insert(i.var.id, Term::var(fresh));
                }
                let now = |t: Term| substitute(t, &|v| inputs.get(&v.id).or_else(|| self.values.get(&v.id)).copied());
                let condition = self.condition.and(now(effect.assume));
                let new: Vec<(VarId, Term)> = effect.updates.iter().map(|(v, t)| (*v, now(*t))).collect();
                self.condition = condition;
                self.values.extend(new);
            }
        }
        Ok((!self.condition.is_false()).then_some(self))
    }
}

/// A function with its loops.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    pub program: &'a Program,
    pub func: FuncId,
    pub loops: &'a Loops,
}

impl Body<'_> {
    fn graph(&self) -> &Graph {
        &self.program.function(self.func).graph
    }

    /// The ways from the head of a loop to the head; `None` if they are too many, or the loop is entered elsewhere, or does what is not known.
    pub fn of_loop(&self, l: &Loop, given: Term) -> Option<Vec<Way>> {
        let inside: BTreeSet<Loc> = l.body.iter().copied().collect();
        self.ways(l.head, l.head, &|at| inside.contains(&at), given)
    }

    /// The ways from the entry to the exit of the function, as above.
    pub fn of_function(&self) -> Option<Vec<Way>> {
        let f = self.program.function(self.func);
        self.ways(f.entry, f.exit, &|_| true, Term::tt())
    }

    fn ways(&self, from: Loc, to: Loc, inside: &dyn Fn(Loc) -> bool, given: Term) -> Option<Vec<Way>> {
        if self.loops.iter().any(|(_, l)| inside(l.head) && l.is_irreducible(self.graph())) {
            return None;
        }
        let heads: BTreeMap<Loc, &Loop> = self.loops.iter().map(|(_, l)| (l.head, l)).filter(|(h, _)| *h != from && inside(*h)).collect();
        let (mut out, mut steps) = (Vec::new(), 0);
        let mut open = vec![(from, Way::given(given))];
        while let Some((at, way)) = open.pop() {
            for id in self.graph().out_edges(at) {
                steps += 1;
                let edge = self.graph().edge(*id);
                if !inside(edge.to) {
                    continue;
                }
                let Some(mut next) = way.clone().with(self.program, self.func, not_preempted(self.graph(), *id), &edge.op).ok()? else {
                    continue;
                };
                if edge.to == to {
                    out.push(next);
                    continue;
                }
                if let Some(inner) = heads.get(&edge.to) {
                    if !next.passed.insert(edge.to) {
                        continue;
                    }
                    self.changed(inner).into_iter().for_each(|v| next.havoc(self.program, v));
                }
                open.push((edge.to, next));
            }
            if out.len() + open.len() > MAX_WAYS || steps > MAX_STEPS {
                return None;
            }
        }
        Some(out)
    }

    /// Whether a function calls itself in a loop.
    pub fn calls_itself_in(&self, l: &Loop) -> bool {
        let graph = self.graph();
        let calls = |e: &plumb_cfa::EdgeId| matches!(&graph.edge(*e).op, Op::Call { func, .. } if *func == self.func);
        l.body.iter().flat_map(|at| graph.out_edges(*at)).any(calls)
    }

    /// What a loop may change.
    pub fn changed(&self, l: &Loop) -> BTreeSet<VarId> {
        l.body.iter().flat_map(|at| self.graph().out_edges(*at)).flat_map(|e| self.written(&self.graph().edge(*e).op)).collect()
    }

    /// What an operation may change.
    pub fn written(&self, op: &Op) -> Vec<VarId> {
        match Effect::of(op, self.program) {
            Some(effect) => effect.updates.into_iter().map(|u| u.0).collect(),
            None => {
                let dst = if let Op::Call { dst, .. } = op { *dst } else { None };
                let shared = (0..self.program.vars.len() as u32).map(VarId).filter(|v| self.program.var(*v).func.is_none());
                shared.chain(dst).collect()
            }
        }
    }
}
