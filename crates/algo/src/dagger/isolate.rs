//! What is left when no refinement of joins and widenings excludes an error path that the solver refutes: the images along it are too coarse.
//!
//! The seed suggests to make images more precise then (end of Section 2). Here the path is *isolated*: what its first part that cannot be executed passes is kept apart from all
//! other paths, and no loop head on it is widened. A node that only this path reaches is then known not to be left by its last edge. That is so because of how it is reached, not
//! because of its state: nodes of such a path cover no others.

use super::order::KeyId;
use super::search::{NodeId, Operation, Search};
use super::Stop;
use crate::query::{Answer, Queries};
use plumb_num::NumDomain;
use std::time::Duration;

/// How long one part of a path may take the solver.
const PATIENCE: Duration = Duration::from_secs(2);

impl<D: NumDomain> Search<'_, D> {
    /// Isolates a path, given by its edges and the nodes they lead to; the first node that has to be made again.
    pub(super) fn isolate(&mut self, path: &[(usize, NodeId)]) -> Result<NodeId, Stop> {
        let edges: Vec<usize> = path.iter().map(|p| p.0).collect();
        let mut length = edges.len();
        for n in 1..edges.len() {
            if self.budget.is_over() {
                return Err(Stop::Time);
            }
            let condition = self.execute(&edges[..n]).0;
            if matches!(Queries::new(self.model.program, self.budget).quick(condition, PATIENCE), Answer::Unsat) {
                length = n;
                break;
            }
        }
        self.isolating = true;
        let mut from = NodeId(0);
        let mut first: Option<NodeId> = None;
        for (edge, node) in &path[..length - 1] {
            let n = self.node(*node);
            let (key, widened) = (n.key, n.widened.is_some());
            let base = self.keys.step(self.node(from).key, self.model.edges[*edge].to, self.is_tree());
            let kept_apart = self.is_tree() || self.hints.get(&base).is_some_and(|h| h.split);
            if !kept_apart {
                self.hints.entry(base).or_default().split = true;
            }
            let hint = self.hints.entry(key).or_default();
            let coarse = widened && hint.operation != Operation::Image;
            if coarse {
                hint.operation = Operation::Image;
            }
            if !kept_apart || coarse {
                first = Some(first.map_or(*node, |f| f.min(*node)));
            }
            from = *node;
        }
        match first {
            Some(n) => Ok(n),
            None => {
                let last = edges[length - 1];
                self.blocked.insert((self.node(from).key, last));
                // The root stays; all nodes of the path are made again, without the edge, and none of them stands for others any more.
                if from == NodeId(0) {
                    self.nodes[0].leaving.retain(|l| l.0 != last);
                }
                let passed: Vec<KeyId> = path[..length - 1].iter().map(|p| self.node(p.1).key).collect();
                self.isolated.extend(passed);
                Ok(path[0].1)
            }
        }
    }
}
