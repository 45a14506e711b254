//! The abstract reachability graph: the states of the reached set, the steps between them, and what covers what.
//!
//! A state that is weakened by a merge keeps its node, and the paths to it: the new state stands for more, and its successors are computed anew.

use crate::cpa::Cpa;
use crate::flow::StepId;

/// Index of a node in its [`Arg`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

/// An edge of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ArgEdge {
    /// The step.
    pub step: StepId,
    /// The node whose state has the successor.
    pub to: NodeId,
    /// Whether the successor was covered by that state, rather than being it or having been merged into it.
    pub covered: bool,
}

#[derive(Debug)]
struct Node<S> {
    state: S,
    parent: Option<(NodeId, StepId)>,
    out: Vec<ArgEdge>,
    waiting: bool,
}

/// The graph.
#[derive(Debug)]
pub struct Arg<C: Cpa> {
    nodes: Vec<Node<C::State>>,
}

impl<C: Cpa> Arg<C> {
    pub(crate) fn new() -> Arg<C> {
        Arg { nodes: Vec::new() }
    }

    pub(crate) fn add(&mut self, state: C::State, parent: Option<(NodeId, StepId)>) -> NodeId {
        self.nodes.push(Node { state, parent, out: Vec::new(), waiting: false });
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub(crate) fn connect(&mut self, from: NodeId, edge: ArgEdge) {
        let out = &mut self.nodes[from.0 as usize].out;
        if !out.contains(&edge) {
            out.push(edge);
        }
    }

    pub(crate) fn replace(&mut self, n: NodeId, state: C::State) {
        self.nodes[n.0 as usize].state = state;
    }

    /// Marks a node as waiting or not; what it was.
    pub(crate) fn set_waiting(&mut self, n: NodeId, waiting: bool) -> bool {
        std::mem::replace(&mut self.nodes[n.0 as usize].waiting, waiting)
    }

    pub(crate) fn clear_edges(&mut self, n: NodeId) {
        self.nodes[n.0 as usize].out.clear();
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The state of a node.
    pub fn state(&self, n: NodeId) -> &C::State {
        &self.nodes[n.0 as usize].state
    }

    /// All nodes with their states, in the order they were found.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &C::State)> {
        self.nodes.iter().enumerate().map(|(i, n)| (NodeId(i as u32), &n.state))
    }

    /// The edges that leave a node.
    pub fn edges(&self, n: NodeId) -> &[ArgEdge] {
        &self.nodes[n.0 as usize].out
    }

    /// Whether the successors of a node are still to be computed.
    pub fn is_waiting(&self, n: NodeId) -> bool {
        self.nodes[n.0 as usize].waiting
    }

    /// The initial state from which a node was found first.
    pub fn root(&self, n: NodeId) -> NodeId {
        let mut at = n;
        while let Some((parent, _)) = self.nodes[at.0 as usize].parent {
            at = parent;
        }
        at
    }

    /// The nodes along which a node was found first, after each step of [`Arg::path`].
    pub fn trail(&self, n: NodeId) -> Vec<NodeId> {
        let mut out = Vec::new();
        let mut at = n;
        while let Some((parent, _)) = self.nodes[at.0 as usize].parent {
            out.push(at);
            at = parent;
        }
        out.reverse();
        out
    }

    /// The steps along which a node was found first, from an initial state.
    pub fn path(&self, n: NodeId) -> Vec<StepId> {
        let mut out = Vec::new();
        let mut at = n;
        while let Some((parent, step)) = self.nodes[at.0 as usize].parent {
            out.push(step);
            at = parent;
        }
        out.reverse();
        out
    }
}
