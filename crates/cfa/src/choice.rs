//! Which edge is taken: the first, in the order of a location's edges, whose assumption holds.
//!
//! This makes the machine deterministic whatever the front end emits. For the usual branches (a condition and its negation, the
//! cases of a switch) nothing has to be added to the assumptions, which exclude each other by their shape.

use crate::graph::{EdgeId, Graph};
use crate::op::Op;
use plumb_term::{Kind, Term};

/// The condition, in the state before, that no earlier edge of the same location is taken instead of `edge`. It need only be
/// right where the assumption of `edge` itself holds.
pub fn not_preempted(graph: &Graph, edge: EdgeId) -> Term {
    let own = condition(&graph.edge(edge).op);
    let earlier = graph.out_edges(graph.edge(edge).from).iter().take_while(|e| **e != edge);
    Term::all(earlier.map(|e| condition(&graph.edge(*e).op)).filter(|c| !exclusive(*c, own)).map(Term::not))
}

/// Whether an edge can keep a later one of the same location from being taken: false only if their assumptions exclude each other.
pub fn preempts(graph: &Graph, earlier: EdgeId, later: EdgeId) -> bool {
    !exclusive(condition(&graph.edge(earlier).op), condition(&graph.edge(later).op))
}

/// When an edge is taken, if no earlier one is: every operation but an assumption can be started in any state.
fn condition(op: &Op) -> Term {
    match op {
        Op::Assume(c) => *c,
        _ => Term::tt(),
    }
}

/// Whether two conditions cannot hold together, by their shape alone.
fn exclusive(a: Term, b: Term) -> bool {
    if a.and(b).is_false() || a == b.not() {
        return true;
    }
    match (a.kind(), b.kind()) {
        (Kind::Eq(x, k), Kind::Eq(y, l)) => x == y && k != l && k.as_int().is_some() && l.as_int().is_some(),
        (Kind::And(parts), _) => parts.iter().any(|p| *p == b.not()),
        (_, Kind::And(parts)) => parts.iter().any(|p| *p == a.not()),
        _ => false,
    }
}
