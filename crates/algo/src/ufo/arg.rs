//! The abstract reachability graph (seed 004, Section 3): an unrolling of the program's cut points into a DAG with labels.
//!
//! Nodes stand for cut points, edges for blocks; there is one node for the error. A label is a formula over the program's variables
//! that over-approximates the states in which the node is reached (Definition 1, well-labelledness).

use crate::system::{CutId, Step, System};
use plumb_term::Term;

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub usize);

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its cut point; none for the error.
    pub cut: Option<CutId>,
    /// Its label, ψ.
    pub label: Term,
    /// Whether its label is to be computed by POST.
    pub marked: bool,
    /// Whether its label may not fit an edge that enters it.
    pub doubtful: bool,
    /// The edges that leave it, once it is expanded.
    pub children: Option<Vec<(Step, NodeId)>>,
    /// The edges that enter it.
    pub parents: Vec<(NodeId, Step)>,
    /// Whether ancestors of the same cut point subsume it.
    pub covered: bool,
    /// Which do; none if its label is false.
    pub covered_by: Vec<NodeId>,
    /// The number of the last walk that visited it.
    pub walk: u32,
}

/// The graph. The first node is the entry, the second the error.
#[derive(Clone, Debug)]
pub struct Arg {
    nodes: Vec<Node>,
    /// For each cut point, the steps that leave it and where they lead.
    steps: Vec<Vec<(Step, Option<CutId>)>>,
}

impl Arg {
    /// The entry.
    pub const ENTRY: NodeId = NodeId(0);
    /// The error.
    pub const ERROR: NodeId = NodeId(1);

    /// The graph with entry and error, nothing expanded.
    pub fn new(system: &System) -> Arg {
        let mut steps: Vec<Vec<(Step, Option<CutId>)>> = vec![Vec::new(); system.cuts.len()];
        for (i, t) in system.transitions.iter().enumerate() {
            steps[t.from.0].push((Step::Block(i), Some(t.to)));
        }
        for (i, (c, _)) in system.errors.iter().enumerate() {
            steps[c.0].push((Step::Error(i), None));
        }
        for (i, u) in system.unsupported.iter().enumerate() {
            steps[u.0 .0].push((Step::Unsupported(i), None));
        }
        let mut arg = Arg { nodes: Vec::new(), steps };
        arg.add(Some(CutId(0)));
        arg.add(None);
        // What is known of the entry is `true` from the start (Fig. 3, line 3).
        arg.nodes[0].marked = false;
        arg
    }

    /// A new node, labelled `true`.
    pub fn add(&mut self, cut: Option<CutId>) -> NodeId {
        self.nodes.push(Node {
            cut,
            label: Term::tt(),
            marked: false,
            doubtful: false,
            children: None,
            parents: Vec::new(),
            covered: false,
            covered_by: Vec::new(),
            walk: 0,
        });
        NodeId(self.nodes.len() - 1)
    }

    /// A new edge.
    pub fn connect(&mut self, from: NodeId, step: Step, to: NodeId) {
        self.nodes[from.0].children.get_or_insert_default().push((step, to));
        self.nodes[to.0].parents.push((from, step));
    }

    /// The steps that leave a cut point.
    pub fn steps(&self, cut: CutId) -> &[(Step, Option<CutId>)] {
        &self.steps[cut.0]
    }

    /// A node.
    pub fn node(&self, n: NodeId) -> &Node {
        &self.nodes[n.0]
    }

    /// A node.
    pub fn node_mut(&mut self, n: NodeId) -> &mut Node {
        &mut self.nodes[n.0]
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }
}
