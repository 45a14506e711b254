//! What a run of UFO says of itself: the figures of the paper's Table 2 and more, and the graph as it was in the end.

use super::arg::NodeId;
use super::{Ufo, Variant};
use crate::system::{Cut, CutId};
use plumb_cfa::Point;
use plumb_term::Term;
use plumb_verdict::{Facts, GraphNode, Notes, ReachGraph};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Duration;

/// Counters and clocks of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    /// Queries for all paths to the error.
    pub(super) refinements: u64,
    /// Time in them, interpolation included.
    pub(super) interpolation: Duration,
    /// Time in POST.
    pub(super) post: Duration,
    /// Time in the entailments of covering.
    pub(super) covering: Duration,
    /// How many refinements each engine of the interpolator answered.
    pub(super) answered: BTreeMap<&'static str, u64>,
    /// The last walk that came to its end.
    pub(super) finished: u32,
}

impl Variant {
    /// What POST is.
    fn post(self) -> &'static str {
        match self {
            Variant::Plain | Variant::Auto => "true",
            Variant::Cartesian | Variant::OnlyCartesian => "Cartesian predicate abstraction",
            Variant::Boolean | Variant::OnlyBoolean => "Boolean predicate abstraction",
            Variant::Box => "intervals",
            Variant::Octagon => "octagons",
            Variant::Polyhedra => "polyhedra",
            Variant::Combined(s) | Variant::OnlyCombined(Some(s)) => s.name(),
            Variant::OnlyCombined(None) => "NUMPREDDOM",
        }
    }
}

impl Ufo<'_> {
    /// Writes down figures and graph.
    pub(super) fn describe(&self, variant: Variant, fact: &dyn Fn(&Point) -> Term, notes: &mut Notes) {
        let graph = self.graph(fact);
        let known = |(c, cut): (usize, &Cut)| (cut.point.clone(), self.inductive.known(CutId(c)).and(fact(&cut.point)));
        notes.facts = Facts::new(self.system.cuts.iter().enumerate().map(known).collect());
        notes.figure("post", variant.post());
        notes.figure("iterations", u64::from(self.walks));
        notes.figure("refinements", self.figures.refinements);
        notes.figure("nodes", self.arg.size());
        notes.figure("covered nodes", graph.nodes.iter().filter(|n| !n.covered_by.is_empty()).count());
        notes.figure("predicates", self.post.predicates());
        notes.figure("inductive facts", self.inductive.facts());
        notes.figure("solver questions", self.entailment.questions + self.inductive.questions);
        let answered: Vec<String> = self.figures.answered.iter().map(|(engine, n)| format!("{engine} {n}")).collect();
        notes.figure("interpolants by", answered.join(", ").as_str());
        notes.figure("interpolation seconds", self.figures.interpolation);
        notes.figure("post seconds", self.figures.post);
        notes.figure("covering seconds", self.figures.covering);
        notes.figure("induction seconds", self.inductive.spent);
        self.post.describe(notes);
        notes.graph = Some(graph);
    }

    /// The part of the graph that the last walk has visited; if it was not finished, also what the one before has.
    fn graph(&self, fact: &dyn Fn(&Point) -> Term) -> ReachGraph {
        let recent = |n: &NodeId| self.arg.node(*n).walk >= self.figures.finished;
        let visited: Vec<NodeId> = (0..self.arg.size()).map(NodeId).filter(recent).collect();
        let index: FxHashMap<NodeId, usize> = visited.iter().enumerate().map(|(i, n)| (*n, i)).collect();
        let mut out = ReachGraph::default();
        for (i, n) in visited.iter().enumerate() {
            let node = self.arg.node(*n);
            let covered_by = node.covered_by.iter().filter_map(|u| index.get(u).copied()).collect();
            let point = node.cut.map(|c| self.system.cuts[c.0].point.clone());
            let known = point.as_ref().map_or_else(Term::tt, fact);
            out.nodes.push(GraphNode { point, label: node.label, known, covered_by });
            out.edges.extend(node.children.iter().flatten().filter_map(|(_, w)| Some((i, *index.get(w)?))));
        }
        out
    }
}
