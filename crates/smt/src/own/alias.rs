//! One variable for copies that cannot differ.
//!
//! Every node has its own copies, but most edges leave most of them as they are. Where every edge into a node says that its copy equals the same earlier one, that one
//! stands for both, and the equations, their literals and their rows in the tableau vanish.
//!
//! **Why labels stay right.** Labels are read off cuts before each node, where variables of other nodes must be ones that an unvisited node owns. So an earlier copy is
//! shared with a node only if it is also that of every node in between: then it is never a stranger at a cut where it is common to both sides. And it stands for one
//! variable of a node at most: of two that an edge makes equal, a label must be able to say so.

use crate::interpolate::{Dag, Edge};
use plumb_term::visit::{linear_form, Rewriter};
use plumb_term::{IBig, Kind, Sort, Term, Var};
use rustc_hash::FxHashMap;

/// A graph whose nodes may share variables.
pub(super) struct Shared {
    /// The variables of each node, without repetition.
    pub(super) nodes: Vec<Vec<Var>>,
    /// The edges.
    pub(super) edges: Vec<Edge>,
    /// For each node, its own name of a variable.
    names: Vec<FxHashMap<Var, Var>>,
}

impl Shared {
    /// Shares what can be shared along useful edges.
    pub(super) fn new(dag: &Dag, useful: &[bool]) -> Shared {
        let n = dag.nodes().len();
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (i, e) in dag.edges().iter().enumerate().filter(|(i, _)| useful[*i]) {
            into[e.to.0].push(i);
        }
        let equal: Vec<FxHashMap<Var, Var>> =
            dag.edges().iter().enumerate().map(|(i, e)| if useful[i] { equalities(e, dag) } else { FxHashMap::default() }).collect();
        let mut stands: FxHashMap<Var, Var> = FxHashMap::default();
        let mut names: Vec<FxHashMap<Var, Var>> = Vec::with_capacity(n);
        for (node, vars) in dag.nodes().iter().enumerate() {
            let first = into[node].iter().map(|i| dag.edges()[*i].from.0).min().unwrap_or(node);
            let mut own: FxHashMap<Var, Var> = FxHashMap::default();
            for v in vars {
                let mut sources = into[node].iter().map(|i| equal[*i].get(v).map(|u| stands.get(u).copied().unwrap_or(*u)));
                let common = sources.next().flatten().filter(|x| sources.all(|y| y == Some(*x)));
                // Nodes that no useful edge enters have no cut of their own.
                let between = |x: &Var| (first..node).all(|w| into[w].is_empty() && w > 0 || names[w].contains_key(x));
                match common.filter(|x| !own.contains_key(x) && between(x)) {
                    Some(x) => {
                        stands.insert(*v, x);
                        own.insert(x, *v);
                    }
                    None => {
                        own.insert(*v, *v);
                    }
                }
            }
            names.push(own);
        }
        let edges = dag
            .edges()
            .iter()
            .enumerate()
            .map(|(i, e)| if useful[i] { Edge { formula: rename(e.formula, &stands), ..e.clone() } } else { e.clone() })
            .collect();
        let nodes = names
            .iter()
            .map(|own| {
                let mut vars: Vec<Var> = own.keys().copied().collect();
                vars.sort_unstable();
                vars
            })
            .collect();
        Shared { nodes, edges, names }
    }

    /// The variable that stands for a node's own one.
    pub(super) fn stands_for(&self, node: usize) -> FxHashMap<Var, Var> {
        self.names[node].iter().map(|(x, own)| (*own, *x)).collect()
    }

    /// A label over the node's own variables.
    pub(super) fn label(&self, node: usize, label: Term) -> Term {
        rename(label, &self.names[node])
    }
}

fn rename(t: Term, names: &FxHashMap<Var, Var>) -> Term {
    Rewriter::new().rewrite(t, &mut |n| match n.kind() {
        Kind::Var(v) => names.get(v).map(|u| Term::var(*u)),
        _ => None,
    })
}

/// The variables of an edge's end that it says are equal to ones of its start.
fn equalities(edge: &Edge, dag: &Dag) -> FxHashMap<Var, Var> {
    let (from, to) = (&dag.nodes()[edge.from.0], &dag.nodes()[edge.to.0]);
    let is_in = |list: &Vec<Var>, v: Var| list.contains(&v);
    let mut out = FxHashMap::default();
    for c in edge.formula.conjuncts() {
        let Kind::Eq(a, b) = c.kind() else { continue };
        let pair = match (a.as_var(), b.as_var()) {
            (Some(a), Some(b)) => Some((a, b)),
            _ if a.sort() == Sort::Int => difference(*a, *b),
            _ => None,
        };
        let Some((a, b)) = pair else { continue };
        for (x, y) in [(a, b), (b, a)] {
            if x.ty == y.ty && is_in(to, x) && is_in(from, y) {
                out.entry(x).or_insert(y);
            }
        }
    }
    out
}

/// The two variables that `a = b` says are equal.
fn difference(a: Term, b: Term) -> Option<(Var, Var)> {
    let (constant, parts) = linear_form(a.sub(b));
    match parts.as_slice() {
        [(k, x), (l, y)] if constant == IBig::ZERO && *k == -l && (*k == IBig::ONE || *k == IBig::NEG_ONE) => {
            Some((x.as_var()?, y.as_var()?))
        }
        _ => None,
    }
}
