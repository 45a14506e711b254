//! The check of labels: every implication by a solver call of its own, and the vocabulary.

use super::condition::in_turn;
use super::dag::{Dag, EdgeId, NodeId};
use super::tree::Tree;
use crate::solver::{CheckResult, Reason, Solver};
use plumb_term::visit::vars;
use plumb_term::{Budget, Sort, Term, Var};
use std::fmt;

/// Why labels are refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// There is not one formula for each node.
    Shape,
    /// The entry's label is not true.
    Entry,
    /// The error's (the root's) label is not false.
    Error,
    /// A label mentions a variable that is not its node's.
    Vocabulary(NodeId, Var),
    /// The labels around an edge do not fit it (for a tree: around the node of this number).
    Edge(EdgeId),
    /// That was not decided.
    Undecided(EdgeId, Reason),
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::Shape => f.write_str("there is not one formula for each node"),
            Invalid::Entry => f.write_str("the label of the entry is not true"),
            Invalid::Error => f.write_str("the label of the error is not false"),
            Invalid::Vocabulary(n, v) => write!(f, "the label of node {} mentions {}", n.0, Term::var(*v)),
            Invalid::Edge(e) => write!(f, "the labels do not fit edge {}", e.0),
            Invalid::Undecided(e, why) => write!(f, "whether the labels fit edge {} is not decided: {why}", e.0),
        }
    }
}

impl std::error::Error for Invalid {}

/// Checks the labels of a graph.
pub fn validate(dag: &Dag, labels: &[Term], budget: &Budget) -> Result<(), Invalid> {
    vocabulary(dag.nodes().iter().map(Vec::as_slice), labels)?;
    if !labels[0].is_true() {
        return Err(Invalid::Entry);
    }
    if !labels[dag.error().0].is_false() {
        return Err(Invalid::Error);
    }
    for (i, e) in dag.edges().iter().enumerate() {
        implication(EdgeId(i), &[labels[e.from.0], e.formula, labels[e.to.0].not()], budget)?;
    }
    Ok(())
}

/// Checks the labels of a tree.
pub fn validate_tree(tree: &Tree, labels: &[Term], budget: &Budget) -> Result<(), Invalid> {
    vocabulary(tree.nodes().iter().map(|n| n.vars.as_slice()), labels)?;
    if !labels.last().is_some_and(|t| t.is_false()) {
        return Err(Invalid::Error);
    }
    for (i, n) in tree.nodes().iter().enumerate() {
        let mut parts: Vec<Term> = n.children.iter().map(|c| labels[c.0]).collect();
        parts.extend([n.formula, labels[i].not()]);
        implication(EdgeId(i), &parts, budget)?;
    }
    Ok(())
}

fn vocabulary<'a>(nodes: impl ExactSizeIterator<Item = &'a [Var]>, labels: &[Term]) -> Result<(), Invalid> {
    if nodes.len() != labels.len() || labels.iter().any(|t| t.sort() != Sort::Bool) {
        return Err(Invalid::Shape);
    }
    for (i, (list, t)) in nodes.zip(labels).enumerate() {
        if let Some(v) = vars([*t]).into_iter().find(|v| !list.contains(v)) {
            return Err(Invalid::Vocabulary(NodeId(i), v));
        }
    }
    Ok(())
}

fn implication(edge: EdgeId, parts: &[Term], budget: &Budget) -> Result<(), Invalid> {
    if Term::all(parts.iter().copied()).is_false() {
        return Ok(());
    }
    let asked = in_turn(parts.iter().copied(), budget, |solver| {
        parts.iter().for_each(|t| solver.assert(*t));
        match solver.check() {
            CheckResult::Unsat => Ok(true),
            CheckResult::Sat => Ok(false),
            CheckResult::Unknown(why) => Err(why),
        }
    });
    match asked {
        Ok(true) => Ok(()),
        Ok(false) => Err(Invalid::Edge(edge)),
        Err(why) => Err(Invalid::Undecided(edge, why)),
    }
}
