//! Refinement of a counterexample-DAG (Section 3): sets of error preimages, propagated backwards through all paths to the errors.
//!
//! A node with a set `err` that its state meets is a refinement node with respect to a predecessor if no preimage of `err` meets the predecessor's
//! state. Nodes are looked at in reverse topological order, so that something is refined on every path. Preimages that do not
//! meet the state they belong to are not propagated; nor are those that another one includes.

use super::search::{NodeId, Search};
use super::Stop;
use plumb_num::NumDomain;
use plumb_verdict::Verdict;

/// More error preimages than this are not kept at a node: those that are not eliminated now are met again.
const MAX_CAUSES: usize = 40;
/// So many error paths are given to the solver in one refinement.
const MAX_PATHS: usize = 6;

/// An error preimage.
#[derive(Clone, Debug)]
struct Cause<E> {
    /// The states from which the error is reached along the path that `next` gives.
    element: E,
    /// The edge to take, and the cause to be in after it.
    next: Option<(usize, NodeId, usize)>,
}

/// What propagation found.
struct Propagated<E> {
    /// By node, `err`: the error preimages that meet its state.
    causes: Vec<Vec<Cause<E>>>,
    /// The refinement nodes, in reverse topological order.
    places: Vec<NodeId>,
}

impl<D: NumDomain> Search<'_, D> {
    /// Refines what leads to the errors; the verdict if one of them is real.
    pub(super) fn refine(&mut self, errors: &[NodeId]) -> Result<Option<Verdict>, Stop> {
        let Propagated { causes, places } = self.propagate(errors)?;
        let paths: Vec<Vec<(usize, NodeId)>> = (0..causes[0].len()).map(|i| path(&causes, i)).collect();
        for p in paths.iter().take(MAX_PATHS) {
            let edges: Vec<usize> = p.iter().map(|s| s.0).collect();
            if self.spurious.contains(&edges) {
                continue;
            }
            if let Some(verdict) = self.realise(&edges)? {
                return Ok(Some(verdict));
            }
            self.spurious.insert(edges);
        }
        self.figures.refinements += 1;
        let mut first: Option<NodeId> = None;
        for all in [false, true] {
            for n in &places {
                let elements: Vec<D::Elem> = causes[n.0].iter().map(|c| c.element.clone()).collect();
                if self.apply_refinement(*n, &elements, all) {
                    first = Some(first.map_or(*n, |f| f.min(*n)));
                }
            }
            if first.is_some() {
                break;
            }
        }
        let first = match (first, paths.first()) {
            (Some(n), _) => n,
            (None, Some(p)) if self.isolates => self.isolate(p)?,
            _ => return Err(Stop::Inseparable),
        };
        self.restart(first);
        Ok(None)
    }

    /// Propagates the errors backwards through all paths.
    fn propagate(&mut self, errors: &[NodeId]) -> Result<Propagated<D::Elem>, Stop> {
        let mut causes: Vec<Vec<Cause<D::Elem>>> = vec![Vec::new(); self.nodes.len()];
        for e in errors {
            causes[e.0].push(Cause { element: self.domain.top(), next: None });
        }
        let mut places = Vec::new();
        for n in (0..self.nodes.len()).rev().map(NodeId) {
            if causes[n.0].is_empty() {
                continue;
            }
            if self.budget.is_over() {
                return Err(Stop::Time);
            }
            let mut imprecise = false;
            for a in &self.nodes[n.0].arrivals {
                let mut found = false;
                for i in 0..causes[n.0].len() {
                    self.figures.transfers += 1;
                    let before = self.model.edges[a.edge].action.preimage(&self.domain, &causes[n.0][i].element);
                    if !self.meets(&self.nodes[a.from.0].state, &before) {
                        continue;
                    }
                    found = true;
                    let known = &mut causes[a.from.0];
                    if known.len() < MAX_CAUSES && !known.iter().any(|c| self.domain.leq(&before, &c.element)) {
                        known.push(Cause { element: before, next: Some((a.edge, n, i)) });
                    }
                }
                imprecise |= !found;
            }
            if imprecise {
                places.push(n);
            }
        }
        Ok(Propagated { causes, places })
    }

    /// Forgets a node and what was explored after it; what is left is pending again.
    fn restart(&mut self, first: NodeId) {
        for n in &self.nodes[first.0..] {
            if n.widened.is_some() {
                let hint = self.hints.entry(n.key).or_default();
                if hint.bound.as_ref().is_none_or(|b| self.domain.leq(&n.state, b)) {
                    hint.bound = Some(n.state.clone());
                }
            }
        }
        self.visited.truncate(self.nodes[first.0].visit);
        self.nodes.truncate(first.0);
        self.at.iter_mut().for_each(|ns| ns.retain(|n| *n < first));
        self.pending.clear();
        let done: rustc_hash::FxHashSet<_> = self.visited.iter().copied().collect();
        for n in (0..self.nodes.len()).map(NodeId) {
            self.send(n, &|k| !done.contains(&k));
        }
    }
}

/// The edges from the root's `i`-th cause to the error, and the nodes they lead to.
fn path<E>(causes: &[Vec<Cause<E>>], i: usize) -> Vec<(usize, NodeId)> {
    let mut at = &causes[0][i];
    let mut out = Vec::new();
    while let Some((edge, node, i)) = at.next {
        out.push((edge, node));
        at = &causes[node.0][i];
    }
    out
}
