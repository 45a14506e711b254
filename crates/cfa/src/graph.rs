//! The control-flow graph of one function, or of a whole program after inlining.

use crate::op::Op;
use plumb_term::Span;

/// Index of a location in its [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Loc(pub u32);

/// Index of an edge in its [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeId(pub u32);

impl Loc {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a location.
#[derive(Clone, Debug, Default)]
pub struct LocInfo {
    /// The source construct that starts here.
    pub span: Span,
    /// The position of `for`, `while` or `do` (or of the label of a loop made by `goto`), if this is where that loop is entered anew.
    pub loop_span: Option<Span>,
    /// The C label here, if any.
    pub label: Option<String>,
}

/// A step from one location to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: Loc,
    /// Where it ends.
    pub to: Loc,
    /// What it does.
    pub op: Op,
    /// The source construct it comes from.
    pub span: Span,
}

/// Locations and edges with their adjacency.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    locs: Vec<LocInfo>,
    edges: Vec<Edge>,
    out: Vec<Vec<EdgeId>>,
    into: Vec<Vec<EdgeId>>,
}

impl Graph {
    /// The empty graph.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// Adds a location.
    pub fn add_loc(&mut self, info: LocInfo) -> Loc {
        self.locs.push(info);
        self.out.push(Vec::new());
        self.into.push(Vec::new());
        Loc(self.locs.len() as u32 - 1)
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, from: Loc, to: Loc, op: Op, span: Span) -> EdgeId {
        let id = EdgeId(self.edges.len() as u32);
        self.edges.push(Edge { from, to, op, span });
        self.out[from.index()].push(id);
        self.into[to.index()].push(id);
        id
    }

    /// The number of locations.
    pub fn num_locs(&self) -> usize {
        self.locs.len()
    }

    /// The number of edges.
    pub fn num_edges(&self) -> usize {
        self.edges.len()
    }

    /// All locations, in order.
    pub fn locs(&self) -> impl DoubleEndedIterator<Item = Loc> + use<> {
        (0..self.locs.len() as u32).map(Loc)
    }

    /// All edges, in order.
    pub fn edges(&self) -> impl DoubleEndedIterator<Item = (EdgeId, &Edge)> {
        self.edges.iter().enumerate().map(|(i, e)| (EdgeId(i as u32), e))
    }

    /// A location's facts.
    pub fn loc(&self, l: Loc) -> &LocInfo {
        &self.locs[l.index()]
    }

    /// A location's facts, to change.
    pub fn loc_mut(&mut self, l: Loc) -> &mut LocInfo {
        &mut self.locs[l.index()]
    }

    /// An edge.
    pub fn edge(&self, e: EdgeId) -> &Edge {
        &self.edges[e.index()]
    }

    /// An edge's operation, to change.
    pub fn op_mut(&mut self, e: EdgeId) -> &mut Op {
        &mut self.edges[e.index()].op
    }

    /// The edges that leave a location, in the order they were added.
    pub fn out_edges(&self, l: Loc) -> &[EdgeId] {
        &self.out[l.index()]
    }

    /// The edges that enter a location.
    pub fn in_edges(&self, l: Loc) -> &[EdgeId] {
        &self.into[l.index()]
    }

    /// The successors of a location, one per edge.
    pub fn successors(&self, l: Loc) -> impl DoubleEndedIterator<Item = Loc> + '_ {
        self.out_edges(l).iter().map(|e| self.edge(*e).to)
    }

    /// The predecessors of a location, one per edge.
    pub fn predecessors(&self, l: Loc) -> impl DoubleEndedIterator<Item = Loc> + '_ {
        self.in_edges(l).iter().map(|e| self.edge(*e).from)
    }
}

#[cfg(test)]
impl Graph {
    /// A graph for tests: `n` locations, and edges that do nothing.
    pub(crate) fn of_edges(n: u32, edges: &[(u32, u32)]) -> Graph {
        let mut g = Graph::new();
        for _ in 0..n {
            g.add_loc(LocInfo::default());
        }
        for (a, b) in edges {
            g.add_edge(Loc(*a), Loc(*b), Op::Skip, Span::NONE);
        }
        g
    }
}
