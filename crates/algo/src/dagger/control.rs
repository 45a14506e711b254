//! The control-flow graph that is explored: entry, loop heads, merge locations and errors, joined by loop-free edges.
//!
//! The paper's edges carry one statement. Here a location that only one edge enters is passed without stopping: its edge is composed with those
//! that leave it. Nothing is lost by that, since such a location neither joins nor widens; what is left are the locations where
//! imprecision can arise, and errors. An edge is composed symbolically and exactly: a condition and values over the variables at its start and inputs.

use plumb_cfa::choice::not_preempted;
use plumb_cfa::wto::Wto;
use plumb_cfa::{EdgeId, Effect, Function, Graph, Loc, LocInfo, Op, Program};
use plumb_term::visit::{size, vars, Rewriter};
use plumb_term::{Budget, Kind, Span, Term, Var, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Edges are composed while their condition and each of their values have at most so many distinct subterms.
const MAX_TERM: usize = 400;

/// What reaching a location means.
#[derive(Clone, Debug)]
pub enum Target {
    /// The property is violated.
    Error,
    /// A construct is executed that plumb does not treat.
    Unsupported(String, Span),
}

/// A loop-free way from one location to another.
#[derive(Clone, Debug)]
pub struct Way {
    /// Its start.
    pub from: Loc,
    /// Its end.
    pub to: Loc,
    /// When it is taken, over the variables (version 0) at its start and inputs.
    pub guard: Term,
    /// New values of variables; the others keep theirs.
    pub updates: BTreeMap<VarId, Term>,
    /// The program's edges that it is made of.
    pub path: Vec<EdgeId>,
}

/// The graph.
#[derive(Clone, Debug)]
pub struct Control {
    /// Where it starts.
    pub entry: Loc,
    /// The loop heads of the program: where proofs speak.
    pub cuts: BTreeSet<Loc>,
    /// Where the search ends.
    pub targets: BTreeMap<Loc, Target>,
    /// The ways.
    pub ways: Vec<Way>,
    /// By location, the variables whose values can matter for reaching a target.
    pub needed: Vec<BTreeSet<VarId>>,
}

impl Control {
    /// The graph of a program whose calls are inlined; nothing if the budget ends first.
    pub fn new(program: &Program, function: &Function, budget: &Budget) -> Option<Control> {
        let wto = Wto::new(&function.graph, function.entry);
        let mut builder = Builder {
            program,
            next_input: VarId::FIRST_AUX.0,
            ways: Vec::new(),
            out: vec![BTreeSet::new(); function.graph.num_locs()],
            into: vec![BTreeSet::new(); function.graph.num_locs()],
        };
        let mut targets: BTreeMap<Loc, Target> = function.errors.iter().map(|l| (*l, Target::Error)).collect();
        for (id, edge) in function.graph.edges() {
            if wto.position(edge.from).is_none() || function.errors.contains(&edge.from) {
                continue;
            }
            if let Op::Unsupported(what) = &edge.op {
                let to = builder.location();
                targets.insert(to, Target::Unsupported(what.clone(), edge.span));
                builder.add(&function.graph, id, to, Term::tt(), Vec::new());
            } else if let Some(effect) = Effect::of(&edge.op, program) {
                let (assume, updates) = builder.fresh(&effect);
                builder.add(&function.graph, id, edge.to, assume, updates);
            }
        }
        let cuts: BTreeSet<Loc> = wto.heads().iter().copied().collect();
        builder.compose(function.entry, &cuts, &targets, budget)?;
        let mut ways: Vec<Way> = builder.ways.into_iter().flatten().collect();
        towards(&mut ways, &targets);
        let needed = needed(builder.out.len(), &ways);
        Some(Control { entry: function.entry, cuts, targets, ways, needed })
    }

    /// Its shape, for orders.
    pub fn shape(&self) -> Graph {
        let mut graph = Graph::new();
        for _ in 0..self.needed.len() {
            graph.add_loc(LocInfo::default());
        }
        for w in &self.ways {
            graph.add_edge(w.from, w.to, Op::Skip, Span::NONE);
        }
        graph
    }
}

struct Builder<'p> {
    program: &'p Program,
    next_input: u32,
    ways: Vec<Option<Way>>,
    out: Vec<BTreeSet<usize>>,
    into: Vec<BTreeSet<usize>>,
}

impl Builder<'_> {
    fn location(&mut self) -> Loc {
        self.out.push(BTreeSet::new());
        self.into.push(BTreeSet::new());
        Loc(self.out.len() as u32 - 1)
    }

    /// The condition and the values of an effect, with inputs that no other edge has.
    fn fresh(&mut self, effect: &Effect) -> (Term, Vec<(VarId, Term)>) {
        let first = self.next_input;
        self.next_input += effect.inputs.len() as u32;
        let mut rewriter = Rewriter::new();
        let mut renamed = |t: Term| {
            rewriter.rewrite(t, &mut |n| match n.kind() {
                Kind::Var(v) if v.id >= VarId::FIRST_AUX => Some(Term::var(Var { id: VarId(first + (v.id.0 - VarId::FIRST_AUX.0)), ..*v })),
                _ => None,
            })
        };
        let updates = effect.updates.iter().map(|(v, t)| (*v, renamed(*t))).collect();
        (renamed(effect.assume), updates)
    }

    fn add(&mut self, graph: &Graph, id: EdgeId, to: Loc, assume: Term, updates: Vec<(VarId, Term)>) {
        let guard = not_preempted(graph, id).and(assume);
        let way = Way { from: graph.edge(id).from, to, guard, updates: updates.into_iter().collect(), path: vec![id] };
        self.insert(way);
    }

    fn insert(&mut self, way: Way) {
        if way.guard.is_false() {
            return;
        }
        self.out[way.from.index()].insert(self.ways.len());
        self.into[way.to.index()].insert(self.ways.len());
        self.ways.push(Some(way));
    }

    fn remove(&mut self, i: usize) -> Option<Way> {
        let way = self.ways[i].take()?;
        self.out[way.from.index()].remove(&i);
        self.into[way.to.index()].remove(&i);
        Some(way)
    }

    /// Removes locations that nothing enters or leaves, and composes the ways around those that one way enters.
    fn compose(&mut self, entry: Loc, cuts: &BTreeSet<Loc>, targets: &BTreeMap<Loc, Target>, budget: &Budget) -> Option<()> {
        let mut work: Vec<Loc> = (0..self.out.len() as u32).rev().map(Loc).collect();
        while let Some(l) = work.pop() {
            if budget.is_over() {
                return None;
            }
            if l == entry {
                continue;
            }
            let (into, out) = (self.into[l.index()].clone(), self.out[l.index()].clone());
            if into.is_empty() || (out.is_empty() && !targets.contains_key(&l)) {
                for i in into.into_iter().chain(out) {
                    if let Some(way) = self.remove(i) {
                        work.extend([way.from, way.to]);
                    }
                }
                continue;
            }
            if into.len() > 1 || cuts.contains(&l) || targets.contains_key(&l) {
                continue;
            }
            let first = into.first().and_then(|i| self.ways[*i].clone());
            let Some(first) = first.filter(|w| w.from != l) else { continue };
            let composed: Option<Vec<Way>> = out.iter().filter_map(|i| self.ways[*i].as_ref()).map(|w| self.composed(&first, w)).collect();
            let Some(composed) = composed else { continue };
            for i in into.into_iter().chain(out) {
                self.remove(i);
            }
            for w in composed {
                work.push(w.to);
                self.insert(w);
            }
            work.push(first.from);
        }
        Some(())
    }

    /// One way after the other; nothing if that is too large.
    fn composed(&self, first: &Way, second: &Way) -> Option<Way> {
        let mut rewriter = Rewriter::new();
        let mut before = |t: Term| {
            rewriter.rewrite(t, &mut |n| match n.kind() {
                Kind::Var(v) if v.version == 0 => first.updates.get(&v.id).copied(),
                _ => None,
            })
        };
        let guard = first.guard.and(before(second.guard));
        let mut updates = first.updates.clone();
        for (v, t) in &second.updates {
            updates.insert(*v, before(*t));
        }
        updates.retain(|v, t| *t != self.program.term(*v));
        if size(guard) > MAX_TERM || updates.values().any(|t| size(*t) > MAX_TERM) {
            return None;
        }
        let path = first.path.iter().chain(&second.path).copied().collect();
        Some(Way { from: first.from, to: second.to, guard, updates, path })
    }
}

/// Keeps the ways after which a target can still be reached.
fn towards(ways: &mut Vec<Way>, targets: &BTreeMap<Loc, Target>) {
    let mut useful: BTreeSet<Loc> = targets.keys().copied().collect();
    loop {
        let before = useful.len();
        useful.extend(ways.iter().filter(|w| useful.contains(&w.to)).map(|w| w.from).collect::<Vec<_>>());
        if useful.len() == before {
            break;
        }
    }
    ways.retain(|w| useful.contains(&w.to));
}

/// By location, the variables of guards ahead and those that needed variables' values depend on.
pub(super) fn needed(locs: usize, ways: &[Way]) -> Vec<BTreeSet<VarId>> {
    let of = |t: Term| vars([t]).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX);
    let mut needed: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); locs];
    for w in ways {
        needed[w.from.index()].extend(of(w.guard));
    }
    let mut done: BTreeSet<(usize, VarId)> = BTreeSet::new();
    loop {
        let before = done.len();
        for (i, w) in ways.iter().enumerate() {
            for v in needed[w.to.index()].clone() {
                if done.insert((i, v)) {
                    match w.updates.get(&v) {
                        Some(t) => needed[w.from.index()].extend(of(*t)),
                        None => {
                            needed[w.from.index()].insert(v);
                        }
                    }
                }
            }
        }
        if done.len() == before {
            return needed;
        }
    }
}
