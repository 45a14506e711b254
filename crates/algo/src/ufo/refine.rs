//! REFINE (seed 004, Section 5): one query for all paths to the error, and labels from its refutation.
//!
//! The graph's nodes that lie on paths to the error become a DAG problem of the interpolator: each node with its own copies of the variables that
//! matter at its cut point (and only those), each edge with the label of its start, its block's condition and the values at its end. Labels come back over the
//! copies, are renamed to the program's variables and conjoined with those that were there: what an earlier refinement or POST excluded stays excluded, and the
//! interpolator only adds what is missing.

use super::arg::{Arg, NodeId};
use super::{effect, Stop, Ufo};
use crate::system::Step;
use plumb_smt::interpolate::{Answer, Dag, Edge, Interpolator, NodeId as DagNode};
use plumb_term::visit::{substitute, Rewriter};
use plumb_term::{Kind, Sort, Term, Var, VarId};
use rustc_hash::FxHashMap;

/// What a refinement found.
pub(super) enum Refined {
    /// New labels.
    Labels(FxHashMap<NodeId, Term>),
    /// A path that can be executed, as far as the formulas say.
    Path(Vec<(NodeId, Step)>),
}

impl Ufo<'_> {
    /// Labels that exclude the error for the visited nodes, or a path to it.
    pub(super) fn refine(&mut self, visited: &[NodeId]) -> Result<Refined, Stop> {
        let nodes = self.towards_error(visited);
        let index: FxHashMap<NodeId, usize> = nodes.iter().enumerate().map(|(i, n)| (*n, i)).collect();
        let variables: Vec<Vec<Var>> = nodes.iter().enumerate().map(|(i, n)| self.copies(*n, i)).collect();
        let mut edges = Vec::new();
        let mut steps = Vec::new();
        for (i, n) in nodes.iter().enumerate() {
            for (step, w) in self.arg.node(*n).children.iter().flatten() {
                let Some(&j) = index.get(w) else { continue };
                let formula = self.encode(self.arg.node(*n).label, *step, i, &variables[j], edges.len());
                edges.push(Edge { from: DagNode(i), to: DagNode(j), formula });
                steps.push((*n, *step));
            }
        }
        let places = nodes.iter().map(|n| self.arg.node(*n).cut.map(|c| c.0)).collect();
        let dag = Dag::new(variables, edges).map_err(|e| Stop::Internal(e.to_string()))?.with_places(places);
        match self.interpolator.dag(&dag, self.budget) {
            Answer::Labels(labels) => {
                let back = |t: Term| substitute(t, &|v| (v.version > 0).then(|| Term::var(Var { version: 0, ..v })));
                Ok(Refined::Labels(nodes.iter().zip(labels).map(|(n, t)| (*n, back(t))).collect()))
            }
            Answer::Model(witness) => Ok(Refined::Path(witness.path.iter().map(|e| steps[e.0]).collect())),
            Answer::Unknown(_) if self.budget.is_over() => Err(Stop::Time),
            Answer::Unknown(why) => Err(Stop::Interpolation(why.to_string())),
        }
    }

    /// The visited nodes from which the error can be reached, in their order.
    fn towards_error(&self, visited: &[NodeId]) -> Vec<NodeId> {
        let mut useful: FxHashMap<NodeId, bool> = FxHashMap::default();
        for v in visited.iter().rev() {
            let reaches =
                *v == Arg::ERROR || self.arg.node(*v).children.iter().flatten().any(|(_, w)| useful.get(w).copied().unwrap_or(false));
            useful.insert(*v, reaches);
        }
        visited.iter().copied().filter(|v| useful[v]).collect()
    }

    /// The copies of the variables that matter at a node; copies of the `i`-th node have version `i + 1`.
    fn copies(&self, n: NodeId, i: usize) -> Vec<Var> {
        let Some(cut) = self.arg.node(n).cut else { return Vec::new() };
        let program = self.program;
        self.system.cuts[cut.0].needed.iter().map(|v| Var { version: i as u32 + 1, ..Var::new(*v, program.var(*v).ty) }).collect()
    }

    /// The formula of a step from the `i`-th node, where `known` holds; inputs get the number of the edge as their version.
    fn encode(&self, known: Term, step: Step, i: usize, target: &[Var], edge: usize) -> Term {
        let mut rewriter = Rewriter::new();
        let mut copy = |t: Term| {
            rewriter.rewrite(t, &mut |n| match n.kind() {
                Kind::Var(v) if v.id < VarId::FIRST_AUX => Some(Term::var(Var { version: i as u32 + 1, ..*v })),
                Kind::Var(v) => Some(Term::var(Var { version: edge as u32 + 1, ..*v })),
                _ => None,
            })
        };
        let (condition, values) = effect(&self.system, step);
        let mut all = vec![copy(known), copy(condition)];
        all.extend(target.iter().zip(values).map(|(x, value)| same(Term::var(*x), copy(*value))));
        Term::all(all)
    }
}

/// Equality on every sort; floats are compared by their bits.
fn same(x: Term, value: Term) -> Term {
    match x.sort() {
        Sort::Float(_) => Term::fbits(x).equals(Term::fbits(value)),
        _ => x.equals(value),
    }
}
