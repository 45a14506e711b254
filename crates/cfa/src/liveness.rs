//! Strong liveness: which variables can still influence whether an execution goes on.
//!
//! A variable is live at a location if a path from there uses it in a condition, or in the new value of a variable that is live
//! after that edge, before giving it a new value itself. So a counter that only counts is dead (a *faint* variable), and
//! two states that agree on the live variables have the same futures. Regions count as variables.
//!
//! The analysis is interprocedural and insensitive to context: a callee's exit sees what is live after any of its calls. What a function
//! and its callees do not mention passes it by, so each function has bits for its own [`universe`](Universe) only. The variables of a
//! recursive function exist once per activation: a call neither reads nor writes the caller's.

use crate::callgraph::CallGraph;
use crate::effect::Effect;
use crate::graph::{Edge, Loc};
use crate::op::Op;
use crate::point::Point;
use crate::program::{FuncId, Program};
use crate::wto::Wto;
use plumb_term::{visit, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions with more location-variable pairs than this are not analysed: everything is live in them.
const MAX_BITS: usize = 1 << 32;

/// The variables that a function or its callees mention, numbered.
#[derive(Clone, Debug, Default)]
struct Universe {
    vars: Vec<VarId>,
    index: FxHashMap<VarId, u32>,
}

impl Universe {
    fn new(vars: impl IntoIterator<Item = VarId>) -> Universe {
        let mut vars: Vec<VarId> = vars.into_iter().collect();
        vars.sort_unstable();
        vars.dedup();
        let index = vars.iter().enumerate().map(|(i, v)| (*v, i as u32)).collect();
        Universe { vars, index }
    }
}

/// A set of indices.
type Bits = Box<[u64]>;

fn insert(bits: &mut [u64], i: u32) {
    bits[i as usize / 64] |= 1 << (i % 64);
}

fn remove(bits: &mut [u64], i: u32) {
    bits[i as usize / 64] &= !(1 << (i % 64));
}

fn contains(bits: &[u64], i: u32) -> bool {
    bits[i as usize / 64] >> (i % 64) & 1 == 1
}

fn members(bits: &[u64]) -> impl Iterator<Item = u32> + '_ {
    bits.iter().enumerate().flat_map(|(w, word)| (0..64).filter(move |b| word >> b & 1 == 1).map(move |b| w as u32 * 64 + b))
}

/// The live variables at every location.
#[derive(Clone, Debug)]
pub struct Liveness {
    universes: Vec<Universe>,
    /// By function and location; none for functions that are too large.
    live: Vec<Option<Vec<Bits>>>,
}

/// What an edge reads and writes, in indices of its function's universe.
struct Step {
    to: Loc,
    /// Read whenever the edge is looked at.
    uses: Vec<u32>,
    /// Variables written, with what their new value reads.
    writes: Vec<(u32, Vec<u32>)>,
    call: Option<Call>,
}

struct Call {
    func: FuncId,
    dst: Option<u32>,
    /// The reads of each argument.
    args: Vec<Vec<u32>>,
}

struct Solver<'p> {
    program: &'p Program,
    calls: &'p CallGraph,
    universes: Vec<Universe>,
    steps: Vec<Vec<Vec<Step>>>,
    live: Vec<Option<Vec<Bits>>>,
}

impl Liveness {
    /// Of all functions of a program.
    pub fn new(program: &Program) -> Liveness {
        let calls = CallGraph::new(program);
        let mut mentions = Mentions::new(program);
        loop {
            let universes = mentions.universes(&calls);
            let mut s = Solver { program, calls: &calls, universes, steps: Vec::new(), live: Vec::new() };
            s.prepare();
            s.solve();
            // A variable that one function alone mentions but that is live at its entry carries a value from call to call.
            let carried = s.carried(&mentions);
            if carried.is_empty() {
                return Liveness { universes: s.universes, live: s.live };
            }
            mentions.shared.extend(carried);
        }
    }

    /// Whether `v` is live at a location of `f`, for variables that `f` or its callees mention; others are not live there.
    pub fn is_live(&self, f: FuncId, l: Loc, v: VarId) -> bool {
        let Some(i) = self.universes[f.0 as usize].index.get(&v) else { return false };
        self.live[f.0 as usize].as_ref().is_none_or(|live| contains(&live[l.index()], *i))
    }

    /// The live variables at a location of `f`, ascending.
    pub fn live(&self, f: FuncId, l: Loc) -> Vec<VarId> {
        let universe = &self.universes[f.0 as usize].vars;
        match &self.live[f.0 as usize] {
            Some(live) => members(&live[l.index()]).map(|i| universe[i as usize]).collect(),
            None => universe.clone(),
        }
    }

    /// Whether `v` is live at a point: where the function on top does not mention it, what counts is the place the pending calls
    /// return to.
    pub fn is_live_at(&self, program: &Program, point: &Point, v: VarId) -> bool {
        let knows = |f: FuncId| self.universes[f.0 as usize].index.contains_key(&v);
        if knows(point.func) {
            return self.is_live(point.func, point.loc, v);
        }
        let outer = point.stack.iter().rev().find(|s| knows(s.func));
        outer.is_some_and(|s| {
            let edge = program.function(s.func).graph.edge(s.edge);
            let overwritten = matches!(&edge.op, Op::Call { dst: Some(d), .. } if *d == v);
            !overwritten && self.is_live(s.func, edge.to, v)
        })
    }
}

/// The variables of a term that are the program's.
fn reads(t: Term, out: &mut Vec<VarId>) {
    out.extend(visit::vars([t]).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX));
}

/// What each function mentions, and which of that its callers have to know.
struct Mentions {
    own: Vec<FxHashSet<VarId>>,
    shared: FxHashSet<VarId>,
}

impl Mentions {
    fn new(program: &Program) -> Mentions {
        let mut own: Vec<FxHashSet<VarId>> = Vec::new();
        let mut seen: FxHashSet<VarId> = FxHashSet::default();
        let mut shared: FxHashSet<VarId> = FxHashSet::default();
        for function in &program.functions {
            let mut vars: Vec<VarId> = function.params.iter().chain(&function.result).copied().collect();
            for (_, e) in function.graph.edges() {
                match (&e.op, Effect::of(&e.op, program)) {
                    (Op::Call { args, dst, .. }, _) => {
                        args.iter().for_each(|a| reads(*a, &mut vars));
                        vars.extend(*dst);
                    }
                    (_, Some(effect)) => {
                        reads(effect.assume, &mut vars);
                        for (v, t) in &effect.updates {
                            vars.push(*v);
                            reads(*t, &mut vars);
                        }
                    }
                    _ => {}
                }
            }
            let vars: FxHashSet<VarId> = vars.into_iter().collect();
            shared.extend(vars.iter().copied().filter(|v| !seen.insert(*v)));
            own.push(vars);
        }
        Mentions { own, shared }
    }

    fn universes(&self, calls: &CallGraph) -> Vec<Universe> {
        let shared = |s: &FxHashSet<VarId>| s.iter().copied().filter(|v| self.shared.contains(v)).collect();
        let mut through: Vec<FxHashSet<VarId>> = self.own.iter().map(shared).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for f in (0..through.len()).rev() {
                for c in calls.callees(FuncId(f as u32)) {
                    let more: Vec<VarId> = through[c.0 as usize].difference(&through[f]).copied().collect();
                    changed |= !more.is_empty();
                    through[f].extend(more);
                }
            }
        }
        self.own.iter().zip(&through).map(|(o, t)| Universe::new(o.union(t).copied())).collect()
    }
}

impl Solver<'_> {
    /// Variables that are not known to be shared and live where a function starts.
    fn carried(&self, mentions: &Mentions) -> Vec<VarId> {
        let mut out = Vec::new();
        for (f, function) in self.program.functions.iter().enumerate() {
            if let Some(live) = &self.live[f] {
                let at_entry = members(&live[function.entry.index()]).map(|i| self.universes[f].vars[i as usize]);
                out.extend(at_entry.filter(|v| !mentions.shared.contains(v) && !function.params.contains(v) && self.is_one(*v)));
            }
        }
        out
    }

    fn prepare(&mut self) {
        for (f, function) in self.program.functions.iter().enumerate() {
            let size = self.universes[f].vars.len();
            let locs = function.graph.num_locs();
            let small = size.saturating_mul(locs) <= MAX_BITS;
            let mut steps: Vec<Vec<Step>> = Vec::new();
            for l in function.graph.locs() {
                let out = function.graph.out_edges(l).iter().map(|e| self.step(f, function.graph.edge(*e)));
                steps.push(if small { out.collect() } else { Vec::new() });
            }
            self.steps.push(steps);
            self.live.push(small.then(|| vec![vec![0u64; size.div_ceil(64)].into(); locs]));
        }
    }

    fn step(&self, f: usize, e: &Edge) -> Step {
        let index = |t: Term| {
            let mut vars = Vec::new();
            reads(t, &mut vars);
            vars.iter().map(|v| self.universes[f].index[v]).collect::<Vec<u32>>()
        };
        let mut step = Step { to: e.to, uses: Vec::new(), writes: Vec::new(), call: None };
        if let Op::Call { func, args, dst } = &e.op {
            let dst = dst.map(|d| self.universes[f].index[&d]);
            step.call = Some(Call { func: *func, dst, args: args.iter().map(|a| index(*a)).collect() });
        } else if let Some(effect) = Effect::of(&e.op, self.program) {
            step.uses = index(effect.assume);
            step.writes = effect.updates.iter().map(|(v, t)| (self.universes[f].index[v], index(*t))).collect();
        }
        step
    }

    /// Whether a variable keeps one value over all activations, so that a callee sees the caller's.
    fn is_one(&self, v: VarId) -> bool {
        self.program.var(v).func.is_none_or(|f| !self.calls.is_recursive(f))
    }

    fn solve(&mut self) {
        let orders: Vec<Vec<Loc>> = self
            .program
            .functions
            .iter()
            .map(|f| {
                let wto = Wto::new(&f.graph, f.entry);
                // Unreachable locations after all others: they change nothing for those.
                let rest = f.graph.locs().filter(|l| wto.position(*l).is_none()).collect::<Vec<_>>();
                wto.order().iter().rev().copied().chain(rest).collect()
            })
            .collect();
        let mut dirty = vec![true; orders.len()];
        while let Some(f) = dirty.iter().rposition(|d| *d) {
            dirty[f] = false;
            let entry = self.program.functions[f].entry;
            let at_entry = self.live[f].as_ref().map(|l| l[entry.index()].clone());
            while self.sweep(f, &orders[f], &mut dirty) {}
            if at_entry != self.live[f].as_ref().map(|l| l[entry.index()].clone()) {
                for (g, d) in dirty.iter_mut().enumerate() {
                    *d |= self.calls.callees(FuncId(g as u32)).contains(&FuncId(f as u32));
                }
            }
        }
    }

    /// One pass over a function; whether anything changed.
    fn sweep(&mut self, f: usize, order: &[Loc], dirty: &mut [bool]) -> bool {
        let mut changed = false;
        for l in order {
            let Some(live) = &self.live[f] else { return false };
            let mut now = live[l.index()].clone();
            for i in 0..self.steps[f][l.index()].len() {
                self.before(f, *l, i, &mut now, dirty);
            }
            if let Some(live) = &mut self.live[f] {
                if live[l.index()] != now {
                    live[l.index()] = now;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Adds what is live before the `i`-th edge of a location.
    fn before(&mut self, f: usize, l: Loc, i: usize, now: &mut Bits, dirty: &mut [bool]) {
        let step = &self.steps[f][l.index()][i];
        let Some(live) = &self.live[f] else { return };
        let after = live[step.to.index()].clone();
        let mut before = after.clone();
        match &step.call {
            Some(call) => {
                let g = call.func.0 as usize;
                if let Some(d) = call.dst {
                    remove(&mut before, d);
                }
                let callee = self.program.function(call.func);
                // What the callee knows goes through its exit and comes back from its entry.
                let mut at_exit: Vec<u32> = Vec::new();
                for m in members(&before.clone()) {
                    let v = self.universes[f].vars[m as usize];
                    if let (Some(j), true) = (self.universes[g].index.get(&v), self.is_one(v)) {
                        at_exit.push(*j);
                        remove(&mut before, m);
                    }
                }
                if call.dst.is_some_and(|d| contains(&after, d)) {
                    at_exit.extend(callee.result.map(|r| self.universes[g].index[&r]));
                }
                let entry = match &self.live[g] {
                    Some(live) => live[callee.entry.index()].clone(),
                    None => vec![u64::MAX; self.universes[g].vars.len().div_ceil(64)].into(),
                };
                for j in members(&entry).filter(|j| (*j as usize) < self.universes[g].vars.len()) {
                    let v = self.universes[g].vars[j as usize];
                    if let Some(p) = callee.params.iter().position(|p| *p == v) {
                        call.args.get(p).into_iter().flatten().for_each(|u| insert(&mut before, *u));
                    } else if let (Some(m), true) = (self.universes[f].index.get(&v), self.is_one(v)) {
                        insert(&mut before, *m);
                    }
                }
                if let Some(live) = &mut self.live[g] {
                    let exit = &mut live[callee.exit.index()];
                    for j in at_exit.into_iter().filter(|j| !contains(exit, *j)).collect::<Vec<_>>() {
                        insert(exit, j);
                        dirty[g] = true;
                    }
                }
            }
            None => {
                for (v, _) in &step.writes {
                    remove(&mut before, *v);
                }
                for (_, uses) in step.writes.iter().filter(|(v, _)| contains(&after, *v)) {
                    uses.iter().for_each(|u| insert(&mut before, *u));
                }
                step.uses.iter().for_each(|u| insert(&mut before, *u));
            }
        }
        for (n, b) in now.iter_mut().zip(before.iter()) {
            *n |= b;
        }
    }
}
