//! A function under reconstruction: edges that change, vanish or lead elsewhere; then a new graph of what is reachable.
//!
//! **Loop heads.** Proofs give formulas at loop heads, and the checker finds those of the old program by itself. So a pass must not make a
//! loop fall apart that the old program has: an edge within a loop that is never taken is kept, as `assume false`
//! ([`Draft::cut`]), unless the whole loop goes. An irreducible loop may still get another head when one of its entries goes; its
//! proof then has no formula where the checker looks for one, which costs the answer.

use plumb_cfa::choice::preempts;
use plumb_cfa::wto::Wto;
use plumb_cfa::{EdgeId, Function, Graph, InputSource, Loc, LocInfo, Op};
use plumb_term::{Span, Term, VarId};

/// An edge of the new function.
#[derive(Clone, Debug)]
pub struct DraftEdge {
    /// The edge of the old function it stands for.
    pub old: EdgeId,
    /// Where it starts.
    pub from: Loc,
    /// Where it ends.
    pub to: Loc,
    /// What it does.
    pub op: Op,
    /// Its source.
    pub span: Span,
    /// Whether it is still there.
    pub alive: bool,
}

/// A function under reconstruction; locations and edges have the old numbers, new ones follow.
#[derive(Clone, Debug)]
pub struct Draft<'f> {
    function: &'f Function,
    /// The edges: those of one location are tried in this order.
    pub edges: Vec<DraftEdge>,
    /// New locations, with the old one they belong to.
    added: Vec<(LocInfo, Loc)>,
    sink: Option<Loc>,
}

/// A new function with the old location of each location and the old edge of each edge.
#[derive(Clone, Debug)]
pub struct Made {
    /// The function.
    pub function: Function,
    /// Old locations.
    pub locs: Vec<Loc>,
    /// Old edges.
    pub edges: Vec<EdgeId>,
}

impl<'f> Draft<'f> {
    /// The function as it is.
    pub fn new(function: &'f Function) -> Draft<'f> {
        let edge =
            |(old, e): (EdgeId, &plumb_cfa::Edge)| DraftEdge { old, from: e.from, to: e.to, op: e.op.clone(), span: e.span, alive: true };
        Draft { function, edges: function.graph.edges().map(edge).collect(), added: Vec::new(), sink: None }
    }

    /// Adds a location that belongs to an old one.
    pub fn add_loc(&mut self, info: LocInfo, old: Loc) -> Loc {
        self.added.push((info, old));
        Loc((self.function.graph.num_locs() + self.added.len() - 1) as u32)
    }

    /// A location without successors.
    fn sink(&mut self) -> Loc {
        match self.sink {
            Some(l) => l,
            None => {
                let exit = self.function.exit;
                let l = self.add_loc(LocInfo::default(), exit);
                self.sink = Some(l);
                l
            }
        }
    }

    /// Removes an edge that is never taken; within a loop it stays as `assume false`.
    pub fn cut(&mut self, e: EdgeId, wto: &Wto) {
        let edge = &mut self.edges[e.index()];
        let outermost = wto.components(edge.from).first().copied();
        let inside = match (outermost, wto.position(edge.to)) {
            (Some(c), Some(p)) => wto.span(c).contains(&(p as usize)),
            _ => false,
        };
        if inside {
            edge.op = Op::Assume(Term::ff());
        } else {
            edge.alive = false;
        }
    }

    /// Removes an edge after which nothing matters: executions that take it end. It stays, into a dead end, where a later edge would be
    /// taken in its place, and where what it does matters by itself (`keep`).
    pub fn stop(&mut self, e: EdgeId, keep: bool) {
        let graph = &self.function.graph;
        let from = graph.edge(e).from;
        let matters = keep || graph.out_edges(from).iter().skip_while(|f| **f != e).skip(1).any(|f| preempts(graph, e, *f));
        if matters {
            let sink = self.sink();
            self.edges[e.index()].to = sink;
        } else {
            self.edges[e.index()].alive = false;
        }
    }

    /// The new function: what is reachable from the entry, and the exit.
    pub fn finish(self) -> Made {
        let f = self.function;
        let n = f.graph.num_locs() + self.added.len();
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (i, e) in self.edges.iter().enumerate().filter(|(_, e)| e.alive) {
            out[e.from.index()].push(i);
        }
        let mut seen = vec![false; n];
        let mut todo = vec![f.entry];
        while let Some(l) = todo.pop() {
            if !std::mem::replace(&mut seen[l.index()], true) {
                todo.extend(out[l.index()].iter().map(|i| self.edges[*i].to));
            }
        }
        seen[f.exit.index()] = true;
        let mut graph = Graph::new();
        let mut number: Vec<Option<Loc>> = vec![None; n];
        let mut locs = Vec::new();
        for l in (0..n).filter(|l| seen[*l]) {
            let added = l.checked_sub(f.graph.num_locs()).map(|i| &self.added[i]);
            let (info, old) = added.map_or_else(|| (f.graph.loc(Loc(l as u32)), Loc(l as u32)), |(info, old)| (info, *old));
            number[l] = Some(graph.add_loc(info.clone()));
            locs.push(old);
        }
        let mut edges = Vec::new();
        for e in self.edges.into_iter().filter(|e| e.alive) {
            if let (Some(from), Some(to), true) = (number[e.from.index()], number[e.to.index()], e.from != f.exit) {
                graph.add_edge(from, to, e.op, e.span);
                edges.push(e.old);
            }
        }
        let at = |l: Loc| number[l.index()].unwrap_or(Loc(0));
        let errors = f.errors.iter().filter_map(|l| number[l.index()]).collect();
        let function = Function {
            name: f.name.clone(),
            span: f.span,
            params: f.params.clone(),
            result: f.result,
            locals: f.locals.clone(),
            graph,
            entry: at(f.entry),
            exit: at(f.exit),
            addr: f.addr,
            errors,
        };
        Made { function, locs, edges }
    }
}

/// The function with inputs for variables before everything else; their edges come first and stand for the edge 0.
pub fn prefixed(f: &Function, inputs: &[(VarId, String)]) -> Made {
    let mut graph = Graph::new();
    for l in f.graph.locs() {
        graph.add_loc(f.graph.loc(l).clone());
    }
    let mut locs: Vec<Loc> = f.graph.locs().collect();
    let mut edges = vec![EdgeId(0); inputs.len()];
    let mut entry = f.entry;
    for (var, name) in inputs.iter().rev() {
        let before = graph.add_loc(LocInfo { span: f.graph.loc(f.entry).span, ..LocInfo::default() });
        locs.push(f.entry);
        graph.add_edge(before, entry, Op::Havoc { var: *var, source: InputSource::Uninit(name.clone()) }, f.span);
        entry = before;
    }
    for (id, e) in f.graph.edges() {
        graph.add_edge(e.from, e.to, e.op.clone(), e.span);
        edges.push(id);
    }
    let function = Function { graph, entry, ..f.clone() };
    Made { function, locs, edges }
}

/// Replaces the terms of an operation.
pub fn map_terms(op: &Op, f: &mut dyn FnMut(Term) -> Term) -> Op {
    let mut op = op.clone();
    match &mut op {
        Op::Skip | Op::Havoc { .. } | Op::Unsupported(_) | Op::Halt { status: None } => {}
        Op::Assume(t) | Op::Guard { cond: t, .. } | Op::EndLife { addr: t } | Op::Free { addr: t } | Op::Alloc { size: t, .. } => {
            *t = f(*t)
        }
        Op::Halt { status: Some(t) } => *t = f(*t),
        Op::Assign(updates) => updates.iter_mut().for_each(|(_, t)| *t = f(*t)),
        Op::HavocMem { addr, len, .. } => (*addr, *len) = (f(*addr), f(*len)),
        Op::Call { args, .. } => args.iter_mut().for_each(|t| *t = f(*t)),
        Op::Output { args, .. } => args.iter_mut().for_each(|(_, t)| *t = f(*t)),
    }
    op
}
