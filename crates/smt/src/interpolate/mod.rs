//! Craig interpolation: labels that explain why no path of a graph can be executed.
//!
//! **Problem.** A [`Dag`] has a formula on every edge, over the copies of variables that its two nodes own. An engine finds either a
//! path from the entry to the error whose formulas are satisfiable together, or a *label* for every node, over the node's own
//! variables, such that the entry's is true, the error's is false and `label(u) ∧ formula(u, v) ⇒ label(v)` for every edge. A
//! [`Sequence`] is a graph that is a path, given over shared variables; a [`Tree`] has several predecessors that hold at once.
//!
//! **Contract.** [`Answer::Labels`] are valid in that sense (see [`validate`]), [`Answer::Model`] satisfies its path; everything else is
//! [`Answer::Unknown`]. Engines stand behind one trait, [`Interpolator`]; the [`Chain`] tries several.
//!
//! Source: Albarghouthi, Gurfinkel, Chechik, "From under-approximations to over-approximations and back" (TACAS 2012), Section 5, whose
//! labels need no quantified clean-up here because the engines work per node.

mod chain;
mod condition;
mod core;
pub(crate) mod cube;
mod dag;
mod family;
pub(crate) mod nnf;
pub(crate) mod resolve;
mod sequence;
mod spacer;
mod text;
mod tree;
mod validate;

pub use self::core::CoreGuided;
pub use chain::{Chain, Report};
pub use condition::{decide, Decision};
pub use dag::{Dag, Edge, EdgeId, Malformed, NodeId};
pub use family::{Block, Family, Member};
pub use sequence::Sequence;
pub use spacer::Spacer;
pub use tree::{Tree, TreeNode};
pub use validate::{validate, validate_tree, Invalid};

use crate::solver::Reason;
use plumb_term::eval::{eval, Value};
use plumb_term::{Budget, Term, Var};
use std::collections::BTreeMap;

/// What an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A label for every node, in order.
    Labels(Vec<Term>),
    /// An execution from the entry to the error.
    Model(Witness),
    /// Not decided.
    Unknown(Reason),
}

/// A satisfiable path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// Its edges in order; for a tree, whose formulas hold all at once, none.
    pub path: Vec<EdgeId>,
    /// The values of the variables on it.
    pub values: BTreeMap<Var, Value>,
}

impl Witness {
    /// Whether a formula holds; `None` if a variable has no value.
    pub fn holds(&self, t: Term) -> Option<bool> {
        match eval(t, &|v| self.values.get(&v).cloned())? {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// Whether this is a path from the entry to the error whose formulas hold.
    pub fn executes(&self, dag: &Dag) -> bool {
        let mut at = Dag::ENTRY;
        for id in &self.path {
            match dag.edges().get(id.0) {
                Some(e) if e.from == at && self.holds(e.formula) == Some(true) => at = e.to,
                _ => return false,
            }
        }
        at == dag.error()
    }
}

/// Computes interpolants.
///
/// **Obligations.** As in the module's contract. An engine looks at the budget and ends soon after it is over. The same problem
/// yields the same answer, unless a limit of time strikes.
pub trait Interpolator {
    /// A short name for statistics.
    fn name(&self) -> &'static str;

    /// Whether the engine has a chance on a problem: a cheap look at its operators, not a promise.
    fn fits(&self, _dag: &Dag) -> bool {
        true
    }

    /// Labels of a graph.
    fn dag(&mut self, dag: &Dag, budget: &Budget) -> Answer;

    /// Labels of a sequence: one before its first formula (true), one after each (false after the last).
    fn sequence(&mut self, sequence: &Sequence, budget: &Budget) -> Answer {
        let (dag, names) = sequence.as_dag();
        names.back(self.dag(&dag, budget))
    }

    /// Labels of a tree, false at its root.
    fn tree(&mut self, tree: &Tree, budget: &Budget) -> Answer {
        tree.one_by_one(|dag| self.dag(dag, budget))
    }
}
