//! Compaction: `skip` edges disappear and assignments in a row become one parallel assignment. Exact.
//!
//! Kept as they are: entry, exit, errors and loop heads, so **proofs** come back with their points renamed only; and all edges with
//! inputs and calls, so **traces** come back as they are.

use crate::draft::{Draft, DraftEdge};
use crate::pass::{BackTranslation, Pass, PassError};
use crate::points::PointMap;
use plumb_cfa::wto::Wto;
use plumb_cfa::{Function, Loc, Op, Program};
use plumb_term::visit::{size, Rewriter};
use plumb_term::{Term, VarId};
use plumb_verdict::{Proof, Trace};
use rustc_hash::FxHashMap;

/// Compacts.
#[derive(Clone, Copy, Debug)]
pub struct Compact {
    /// Assignments are merged while each new value has at most so many distinct subterms.
    pub max_term: usize,
}

impl Default for Compact {
    fn default() -> Compact {
        Compact { max_term: 200 }
    }
}

impl Pass for Compact {
    fn name(&self) -> &'static str {
        "compact"
    }

    fn run(&self, program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        let mut points = PointMap::default();
        let mut functions = Vec::new();
        for f in &program.functions {
            functions.push(points.add(self.function(f)));
        }
        Ok((Program { functions, ..program }, Box::new(Back { points })))
    }
}

/// The living edges at each location, by index.
struct Adjacency {
    out: Vec<Vec<usize>>,
    into: Vec<Vec<usize>>,
}

impl Compact {
    fn function(&self, f: &Function) -> crate::draft::Made {
        let wto = Wto::new(&f.graph, f.entry);
        let mut fixed = vec![false; f.graph.num_locs()];
        for l in wto.heads().iter().chain(&f.errors).chain([&f.entry, &f.exit]) {
            fixed[l.index()] = true;
        }
        let mut draft = Draft::new(f);
        // Edges of unreachable locations would only stand in the way.
        for e in draft.edges.iter_mut().filter(|e| wto.position(e.from).is_none()) {
            e.alive = false;
        }
        let n = f.graph.num_locs();
        let mut adj = Adjacency { out: vec![Vec::new(); n], into: vec![Vec::new(); n] };
        for (i, e) in draft.edges.iter().enumerate().filter(|(_, e)| e.alive) {
            adj.out[e.from.index()].push(i);
            adj.into[e.to.index()].push(i);
        }
        // Along the order, so that rows grow from their beginning.
        for l in wto.order() {
            if !fixed[l.index()] {
                bypass(&mut draft.edges, &mut adj, *l);
            }
        }
        for l in wto.order() {
            if !fixed[l.index()] {
                self.merge(&mut draft.edges, &mut adj, *l);
            }
        }
        draft.finish()
    }

    /// Makes one edge of the only edge into `l` and the only edge out of it, if they go together.
    fn merge(&self, edges: &mut [DraftEdge], adj: &mut Adjacency, l: Loc) {
        let (&[first], &[second]) = (adj.into[l.index()].as_slice(), adj.out[l.index()].as_slice()) else { return };
        let alone = adj.out[edges[first].from.index()].len() == 1;
        let op = match (&edges[first].op, &edges[second].op) {
            (Op::Assign(a), Op::Assign(b)) => match self.compose(a, b) {
                Some(u) => Op::Assign(u),
                None => return,
            },
            // An edge that always goes must not become one that goes sometimes while others wait behind it.
            (Op::Skip, Op::Assume(_)) if !alone => return,
            (Op::Skip, op) => op.clone(),
            (Op::Assume(a), Op::Assume(b)) if alone => Op::Assume(a.and(*b)),
            _ => return,
        };
        // The second edge goes on in the place of the first among the edges of the location before.
        let (to, old) = (edges[second].to, edges[second].old);
        if matches!(edges[first].op, Op::Skip) {
            edges[first].old = old;
            edges[first].span = edges[second].span;
        }
        edges[first].op = op;
        edges[first].to = to;
        edges[second].alive = false;
        adj.into[l.index()].clear();
        adj.out[l.index()].clear();
        for i in &mut adj.into[to.index()] {
            if *i == second {
                *i = first;
            }
        }
    }

    fn compose(&self, first: &[(VarId, Term)], second: &[(VarId, Term)]) -> Option<Vec<(VarId, Term)>> {
        let values: FxHashMap<VarId, Term> = first.iter().copied().collect();
        let mut rewriter = Rewriter::new();
        let mut out: Vec<(VarId, Term)> = first.iter().copied().filter(|(v, _)| second.iter().all(|s| s.0 != *v)).collect();
        for (v, t) in second {
            let new = rewriter.rewrite(*t, &mut |n| n.as_var().filter(|v| v.version == 0).and_then(|v| values.get(&v.id).copied()));
            if size(new) > self.max_term {
                return None;
            }
            out.push((*v, new));
        }
        Some(out)
    }
}

/// Leads the edges into `l` past it, if all that follows is one `skip`.
fn bypass(edges: &mut [DraftEdge], adj: &mut Adjacency, l: Loc) {
    let &[skip] = adj.out[l.index()].as_slice() else { return };
    let to = edges[skip].to;
    if !matches!(edges[skip].op, Op::Skip) || to == l {
        return;
    }
    edges[skip].alive = false;
    adj.out[l.index()].clear();
    adj.into[to.index()].retain(|i| *i != skip);
    for i in std::mem::take(&mut adj.into[l.index()]) {
        edges[i].to = to;
        adj.into[to.index()].push(i);
    }
}

/// The way back.
struct Back {
    points: PointMap,
}

impl BackTranslation for Back {
    fn proof(&self, proof: Proof) -> Proof {
        self.points.proof(proof, &mut |_, t| t)
    }

    fn trace(&self, trace: Trace) -> Trace {
        trace
    }
}
