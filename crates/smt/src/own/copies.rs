//! What a formula over the variables of a node says at the copies of the same place that come before it.

use super::alias::Shared;
use crate::interpolate::{Dag, NodeId};
use plumb_term::visit::{vars, Rewriter};
use plumb_term::{Kind, Term, Var};
use rustc_hash::FxHashMap;

/// The earlier copies of each node, with the names of their variables.
#[derive(Default)]
pub(super) struct Copies {
    /// For each node, its earlier copies, and for each of its variables the one there.
    before: Vec<Vec<(usize, FxHashMap<Var, Var>)>>,
}

impl Copies {
    /// Those that are on paths to the error: only of these is known what is reached.
    pub(super) fn new(dag: &Dag, shared: &Shared, useful: &[bool]) -> Copies {
        let names: Vec<FxHashMap<Var, Var>> = (0..dag.nodes().len()).map(|n| shared.stands_for(n)).collect();
        let name = |n: usize, k: usize| names[n].get(&dag.nodes()[n][k]).copied();
        let before = |n: usize| {
            let copies = dag.copies_before(NodeId(n)).into_iter().filter(|m| useful[m.0]);
            copies.map(|m| (m.0, (0..dag.nodes()[n].len()).filter_map(|k| Some((name(n, k)?, name(m.0, k)?))).collect())).collect()
        };
        Copies { before: (0..dag.nodes().len()).map(before).collect() }
    }

    /// Formulas over a node's variables, at each of its earlier copies; nothing if one of them cannot be said there.
    pub(super) fn of(&self, node: usize, formulas: &[Term]) -> Option<Vec<(usize, Vec<Term>)>> {
        let copies = &self.before[node];
        let there = |names: &FxHashMap<Var, Var>| formulas.iter().map(|t| rename(*t, names)).collect::<Option<Vec<Term>>>();
        copies.iter().map(|(m, names)| Some((*m, there(names)?))).collect()
    }
}

fn rename(t: Term, names: &FxHashMap<Var, Var>) -> Option<Term> {
    if !vars([t]).iter().all(|v| names.contains_key(v)) {
        return None;
    }
    Some(Rewriter::new().rewrite(t, &mut |n| match n.kind() {
        Kind::Var(v) => names.get(v).map(|u| Term::var(*u)),
        _ => None,
    }))
}
