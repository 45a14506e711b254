//! Where the locations and call edges of a new program were in the old one.

use crate::draft::Made;
use plumb_cfa::{CallSite, EdgeId, FuncId, Function, Loc, Point};
use plumb_term::Term;
use plumb_verdict::Proof;
use std::collections::BTreeMap;

/// The old location of each new one and the old edge of each new one, by function.
#[derive(Clone, Debug, Default)]
pub struct PointMap {
    locs: Vec<Vec<Loc>>,
    edges: Vec<Vec<EdgeId>>,
}

impl PointMap {
    /// Takes the next function, and its maps.
    pub fn add(&mut self, made: Made) -> Function {
        self.locs.push(made.locs);
        self.edges.push(made.edges);
        made.function
    }

    /// Puts a change of one function, whose old numbers are the new ones so far, on top.
    pub fn replace(&mut self, f: FuncId, made: &Made) {
        let (locs, edges) = (&self.locs[f.0 as usize], &self.edges[f.0 as usize]);
        let locs = made.locs.iter().map(|l| locs[l.index()]).collect();
        let edges = made.edges.iter().map(|e| edges.get(e.index()).copied().unwrap_or(*e)).collect();
        (self.locs[f.0 as usize], self.edges[f.0 as usize]) = (locs, edges);
    }

    /// The old edge.
    pub fn edge(&self, f: FuncId, e: EdgeId) -> EdgeId {
        self.edges[f.0 as usize][e.index()]
    }

    /// The old point.
    pub fn point(&self, p: &Point) -> Point {
        let site = |s: &CallSite| CallSite { func: s.func, edge: self.edge(s.func, s.edge) };
        Point { stack: p.stack.iter().map(site).collect(), func: p.func, loc: self.locs[p.func.0 as usize][p.loc.index()] }
    }

    /// The map from the new points of `later`, whose old ones are the new ones of `self`.
    #[must_use]
    pub fn then(&self, later: &PointMap) -> PointMap {
        let locs = self.locs.iter().zip(&later.locs).map(|(old, new)| new.iter().map(|l| old[l.index()]).collect()).collect();
        let edges = self.edges.iter().zip(&later.edges).map(|(old, new)| new.iter().map(|e| old[e.index()]).collect()).collect();
        PointMap { locs, edges }
    }

    /// A proof with its points moved and its formulas rewritten.
    pub fn proof(&self, proof: Proof, rewrite: &mut dyn FnMut(&Point, Term) -> Term) -> Proof {
        let mut invariants: BTreeMap<Point, Term> = BTreeMap::new();
        for (p, t) in &proof.invariants {
            let t = rewrite(p, *t);
            let known = invariants.entry(self.point(p)).or_insert_with(Term::tt);
            *known = known.and(t);
        }
        Proof { method: proof.method.moved(&|p| Some(self.point(p))), invariants }
    }
}

/// A proof with facts added at points.
pub fn strengthen(mut proof: Proof, facts: &BTreeMap<Point, Term>) -> Proof {
    for (p, t) in facts {
        let known = proof.invariants.entry(p.clone()).or_insert_with(Term::tt);
        *known = known.and(*t);
    }
    proof
}
