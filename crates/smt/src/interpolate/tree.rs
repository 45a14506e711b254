//! Trees of formulas: nodes whose predecessors hold all at once.

use super::dag::{Dag, Edge, EdgeId, Malformed, NodeId};
use super::{Answer, Witness};
use plumb_term::visit::vars;
use plumb_term::{Sort, Term, Var};
use std::collections::BTreeMap;

/// A node of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeNode {
    /// The variables that the formula of its parent may mention too; none at the root.
    pub vars: Vec<Var>,
    /// Its predecessors.
    pub children: Vec<NodeId>,
    /// A formula over its variables, those of its children, and others of its own.
    pub formula: Term,
}

/// A tree, children before parents, the root last. Labels are such that `⋀ label(children) ∧ formula ⇒ label(node)` and the root's is false.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    parents: Vec<Option<usize>>,
}

impl Tree {
    /// The tree of these nodes. A node but the root has one parent; variables are shared with it only.
    pub fn new(nodes: Vec<TreeNode>) -> Result<Tree, Malformed> {
        let mut parents = vec![None; nodes.len()];
        for (i, n) in nodes.iter().enumerate() {
            if n.formula.sort() != Sort::Bool {
                return Err(Malformed::Sort(EdgeId(i)));
            }
            for c in &n.children {
                if c.0 >= i || parents[c.0].replace(i).is_some() {
                    return Err(Malformed::Order(EdgeId(i)));
                }
            }
        }
        let Some((root, inner)) = nodes.split_last() else { return Err(Malformed::Empty) };
        if let Some(i) = (0..inner.len()).find(|i| parents[*i].is_none()) {
            return Err(Malformed::Order(EdgeId(i)));
        }
        if let Some(v) = root.vars.first() {
            return Err(Malformed::Variable(*v));
        }
        let mut owner: BTreeMap<Var, usize> = BTreeMap::new();
        for (i, v) in nodes.iter().enumerate().flat_map(|(i, n)| n.vars.iter().map(move |v| (i, *v))) {
            if owner.insert(v, i).is_some() {
                return Err(Malformed::Variable(v));
            }
        }
        for (i, n) in nodes.iter().enumerate() {
            for v in vars([n.formula]) {
                let o = *owner.entry(v).or_insert(i);
                let childs = parents[o] == Some(i) && nodes[o].vars.contains(&v);
                if o != i && !childs {
                    return Err(Malformed::Variable(v));
                }
            }
        }
        Ok(Tree { nodes, parents })
    }

    /// The nodes.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The conjunction of all formulas as the only edge of a graph.
    pub(super) fn as_one(&self) -> Dag {
        let formula = Term::all(self.nodes.iter().map(|n| n.formula));
        Dag::of_parts(vec![Vec::new(); 2], vec![Edge { from: NodeId(0), to: NodeId(1), formula }])
    }

    /// Labels by one binary problem for each node: its formula with its children's labels against all that is not below it. What is below a
    /// node that has its label already is represented by the label.
    pub(super) fn one_by_one(&self, mut solve: impl FnMut(&Dag) -> Answer) -> Answer {
        let root = self.nodes.len() - 1;
        let mut labels: Vec<Term> = Vec::with_capacity(self.nodes.len());
        if root == 0 {
            return match solve(&self.as_one()) {
                Answer::Labels(_) => Answer::Labels(vec![Term::ff()]),
                Answer::Model(w) => Answer::Model(Witness { path: Vec::new(), ..w }),
                unknown => unknown,
            };
        }
        for (i, n) in self.nodes[..root].iter().enumerate() {
            let below = Term::all(n.children.iter().map(|c| labels[c.0]).chain([n.formula]));
            let pending = (0..i).filter(|j| self.parents[*j].is_some_and(|p| p > i)).map(|j| labels[j]);
            let others = Term::all(pending.chain(self.nodes[i + 1..].iter().map(|m| m.formula)));
            let nodes = vec![Vec::new(), n.vars.clone(), Vec::new()];
            let edges =
                vec![Edge { from: NodeId(0), to: NodeId(1), formula: below }, Edge { from: NodeId(1), to: NodeId(2), formula: others }];
            match solve(&Dag::of_parts(nodes, edges)) {
                Answer::Labels(found) => labels.push(found[1]),
                // Labels keep the rest unsatisfiable: only the first problem, which is the whole tree, can have a model.
                Answer::Model(w) => return Answer::Model(Witness { path: Vec::new(), ..w }),
                unknown => return unknown,
            }
        }
        labels.push(Term::ff());
        Answer::Labels(labels)
    }
}
