//! Graphs of formulas between copies of variables.

use plumb_term::visit::vars;
use plumb_term::{Sort, Term, Var, VarId};
use rustc_hash::FxHashMap;
use std::fmt;

/// Index of a node: the entry is the first, the error the last, edges go to greater ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub usize);

/// Index of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeId(pub usize);

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Its start.
    pub from: NodeId,
    /// Its end.
    pub to: NodeId,
    /// What relates the variables of its two nodes; others in it are its own and stand for any value.
    pub formula: Term,
}

/// A graph without cycles. No two nodes share a variable, and neither do edges share variables that are not their nodes'.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dag {
    nodes: Vec<Vec<Var>>,
    edges: Vec<Edge>,
    places: Vec<Option<usize>>,
}

/// Why nodes and edges are not a [`Dag`] (or formulas not a [`Sequence`](super::Sequence) or [`Tree`](super::Tree)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// There is no entry that differs from the error.
    Empty,
    /// An edge does not go from a node to a greater one.
    Order(EdgeId),
    /// An edge has something else than a formula.
    Sort(EdgeId),
    /// A variable occurs where it must not.
    Variable(Var),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Empty => f.write_str("there are fewer nodes than an entry and an error"),
            Malformed::Order(e) => write!(f, "edge {} does not go from a node to a later one", e.0),
            Malformed::Sort(e) => write!(f, "edge {} has no formula", e.0),
            Malformed::Variable(v) => write!(f, "variable {} occurs where it must not", Term::var(*v)),
        }
    }
}

impl std::error::Error for Malformed {}

/// Who owns a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Node(usize),
    Edge(usize),
}

impl Dag {
    /// The first node.
    pub const ENTRY: NodeId = NodeId(0);

    /// The graph with these variables at its nodes, which are in topological order, and these edges.
    pub fn new(nodes: Vec<Vec<Var>>, edges: Vec<Edge>) -> Result<Dag, Malformed> {
        if nodes.len() < 2 {
            return Err(Malformed::Empty);
        }
        let mut owner: FxHashMap<Var, Owner> = FxHashMap::default();
        for (n, list) in nodes.iter().enumerate() {
            for v in list {
                if owner.insert(*v, Owner::Node(n)).is_some() {
                    return Err(Malformed::Variable(*v));
                }
            }
        }
        for (i, e) in edges.iter().enumerate() {
            if e.from >= e.to || e.to.0 >= nodes.len() {
                return Err(Malformed::Order(EdgeId(i)));
            }
            if e.formula.sort() != Sort::Bool {
                return Err(Malformed::Sort(EdgeId(i)));
            }
            for v in vars([e.formula]) {
                match *owner.entry(v).or_insert(Owner::Edge(i)) {
                    Owner::Node(n) if n == e.from.0 || n == e.to.0 => {}
                    Owner::Edge(j) if i == j => {}
                    _ => return Err(Malformed::Variable(v)),
                }
            }
        }
        Ok(Dag { nodes, edges, places: Vec::new() })
    }

    /// A graph of parts that are known to fit.
    pub(super) fn of_parts(nodes: Vec<Vec<Var>>, edges: Vec<Edge>) -> Dag {
        debug_assert!(Dag::new(nodes.clone(), edges.clone()).is_ok(), "{:?}", Dag::new(nodes.clone(), edges.clone()));
        Dag { nodes, edges, places: Vec::new() }
    }

    /// The same graph, with the place that each node is a copy of. The variables of copies of one place correspond to each other in their order; an engine may
    /// prefer labels that hold at earlier copies as well, since these are the ones that hold at later copies, too.
    #[must_use]
    pub fn with_places(self, places: Vec<Option<usize>>) -> Dag {
        Dag { places, ..self }
    }

    /// Whether two nodes are copies of one place.
    pub fn has_copies(&self) -> bool {
        (0..self.nodes.len()).any(|n| !self.copies_before(NodeId(n)).is_empty())
    }

    /// The earlier copies of a node's place, the first one first.
    pub fn copies_before(&self, node: NodeId) -> Vec<NodeId> {
        let place = |n: usize| self.places.get(n).copied().flatten();
        let Some(here) = place(node.0) else { return Vec::new() };
        (0..node.0).filter(|n| place(*n) == Some(here) && self.nodes[*n].len() == self.nodes[node.0].len()).map(NodeId).collect()
    }

    /// The variables of each node.
    pub fn nodes(&self) -> &[Vec<Var>] {
        &self.nodes
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The last node.
    pub fn error(&self) -> NodeId {
        NodeId(self.nodes.len() - 1)
    }

    /// The number of distinct subterms of all formulas.
    pub fn size(&self) -> usize {
        plumb_term::visit::postorder(self.edges.iter().map(|e| e.formula)).len()
    }

    /// The same graph with other formulas.
    pub(crate) fn with_formulas(&self, formulas: impl IntoIterator<Item = Term>) -> Dag {
        let edges = self.edges.iter().zip(formulas).map(|(e, formula)| Edge { formula, ..e.clone() }).collect();
        Dag { nodes: self.nodes.clone(), edges, places: self.places.clone() }
    }

    /// The edges whose formula is not plainly false on paths from the entry to the error, with the other nodes' labels.
    pub(crate) fn useful(&self) -> Useful {
        let n = self.nodes.len();
        let (mut reached, mut reaches) = (vec![false; n], vec![false; n]);
        reached[0] = true;
        reaches[n - 1] = true;
        let live = |e: &&Edge| !e.formula.is_false();
        // Edges need not be sorted: go by nodes.
        let (mut out, mut into) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for e in self.edges.iter().filter(live) {
            out[e.from.0].push(e.to.0);
            into[e.to.0].push(e.from.0);
        }
        for u in 0..n {
            if reached[u] {
                out[u].iter().for_each(|v| reached[*v] = true);
            }
        }
        for v in (0..n).rev() {
            if reaches[v] {
                into[v].iter().for_each(|u| reaches[*u] = true);
            }
        }
        let nodes: Vec<bool> = (0..n).map(|i| reached[i] && reaches[i]).collect();
        let edges = self.edges.iter().map(|e| live(&e) && nodes[e.from.0] && nodes[e.to.0]).collect();
        Useful { nodes, edges, reached }
    }

    /// A number above those of all variables.
    pub(crate) fn fresh(&self) -> u32 {
        let ids = self.nodes.iter().flatten().copied().chain(vars(self.edges.iter().map(|e| e.formula)));
        ids.map(|v| v.id.0).max().unwrap_or(0).max(VarId::FIRST_AUX.0) + 1
    }
}

/// What lies on paths from the entry to the error.
pub(crate) struct Useful {
    /// For each node.
    pub(crate) nodes: Vec<bool>,
    /// For each edge.
    pub(crate) edges: Vec<bool>,
    reached: Vec<bool>,
}

impl Useful {
    /// The label of a node that is not useful, of the entry and of the error: what is not reached is false, what does not reach the error is true.
    pub(crate) fn plain(&self, node: usize) -> Option<Term> {
        if node + 1 == self.nodes.len() {
            Some(Term::ff())
        } else if node == 0 {
            Some(Term::tt())
        } else if self.nodes[node] {
            None
        } else {
            Some(Term::bool(self.reached[node]))
        }
    }

    /// Whether no edge is left.
    pub(crate) fn is_empty(&self) -> bool {
        !self.nodes[0]
    }
}
