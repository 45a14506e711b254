//! EXPANDARG (seed 004, Fig. 3): walks and extends the graph in weak topological order.
//!
//! `FN` holds the nodes to visit next at each cut point, `AH` the heads of the components being unrolled. A visited node's label is computed by
//! POST if it is marked, and taken from the refinement otherwise; a head whose label implies the disjunction of the active heads is covered, and its
//! component left. The figure's last lines are garbled in print: after a head has been added to `AH`, the walk goes on with `WTONEXT`.
//! `FN` maps to a list here: a node that was expanded earlier brings its own children, which need not be the ones that others made.

use super::arg::{Arg, NodeId};
use super::{before, effect, Stop, Ufo};
use crate::system::Step;
use plumb_term::Term;
use rustc_hash::FxHashMap;

/// The walk's state, which ends with it.
struct Walk {
    /// `FN`, by cut point.
    future: Vec<Vec<NodeId>>,
    /// `AH`, by cut point.
    active: Vec<Vec<NodeId>>,
    /// The visited nodes, in order: a topological order of the edges between them.
    visited: Vec<NodeId>,
}

impl Ufo<'_> {
    /// Walks the graph; `labels` are those of the last refinement. Gives the visited nodes in order, the error last if it was reached.
    pub(super) fn expand(&mut self, labels: &FxHashMap<NodeId, Term>) -> Result<Vec<NodeId>, Stop> {
        self.walks += 1;
        let cuts = self.system.cuts.len();
        let mut walk = Walk { future: vec![Vec::new(); cuts], active: vec![Vec::new(); cuts], visited: Vec::new() };
        walk.future[0].push(Arg::ENTRY);
        let mut error = false;
        let mut position = 0;
        while let Some(cut) = self.order.at(position) {
            if self.budget.is_over() {
                return Err(Stop::Time);
            }
            let nodes = std::mem::take(&mut walk.future[cut.0]);
            let head = self.order.is_head(cut);
            if nodes.is_empty() {
                // Nothing arrives here (any more).
                if head {
                    walk.active[cut.0].clear();
                }
                position = if head { self.order.exit(position) } else { self.order.next(position) };
                continue;
            }
            let mut open = false;
            for v in nodes {
                // What a walk has missed, below a node that was covered then, has a label that nobody kept up to date.
                let missed = self.arg.node(v).walk != 0 && self.arg.node(v).walk + 1 < self.walks;
                self.arg.node_mut(v).walk = self.walks;
                if self.post.strengthens() {
                    self.arg.node_mut(v).marked |= missed;
                } else if missed || self.arg.node(v).doubtful {
                    self.revise(v, missed)?;
                }
                error |= self.expand_node(v, &mut walk);
                self.relabel(v, labels, &walk.active[cut.0])?;
                walk.visited.push(v);
                if !head {
                    continue;
                }
                let covered = self.is_covered(v, &walk.active[cut.0])?;
                self.arg.node_mut(v).covered = covered;
                self.arg.node_mut(v).covered_by = if covered { self.coverers(v, &walk.active[cut.0]) } else { Vec::new() };
                if !covered {
                    walk.active[cut.0].push(v);
                    open = true;
                }
            }
            if head && !open {
                walk.active[cut.0].clear();
                let exit = self.order.exit(position);
                self.forget_inside(&mut walk, position);
                position = exit;
            } else {
                position = self.order.next(position);
            }
        }
        if error {
            self.arg.node_mut(Arg::ERROR).walk = self.walks;
            self.relabel(Arg::ERROR, labels, &[])?;
            walk.visited.push(Arg::ERROR);
        }
        Ok(walk.visited)
    }

    /// Drops from the label of `v` what its parents do not imply any more. The steps to its children are in doubt if that changed it, or if the last walk
    /// did not come here.
    fn revise(&mut self, v: NodeId, missed: bool) -> Result<(), Stop> {
        self.arg.node_mut(v).doubtful = false;
        let label = self.arg.node(v).label;
        let mut kept = if label.is_true() { Vec::new() } else { label.conjuncts() };
        for (u, step) in self.arg.node(v).parents.clone() {
            if self.arg.node(u).walk != self.walks {
                continue;
            }
            let known = self.arg.node(u).label.and(effect(&self.system, step).0);
            for t in std::mem::take(&mut kept) {
                let asked = before(&self.system, step, t);
                if self.entails(known, asked)? {
                    kept.push(t);
                }
            }
        }
        let revised = Term::all(kept);
        self.arg.node_mut(v).label = revised;
        if missed || revised != label {
            for (_, w) in self.arg.node(v).children.clone().unwrap_or_default() {
                self.arg.node_mut(w).doubtful = true;
            }
        }
        Ok(())
    }

    /// EXPANDNODE: whether the error is a child.
    fn expand_node(&mut self, v: NodeId, walk: &mut Walk) -> bool {
        let mut error = false;
        if let Some(children) = &self.arg.node(v).children {
            for (_, w) in children {
                match self.arg.node(*w).cut {
                    Some(c) => {
                        if !walk.future[c.0].contains(w) {
                            walk.future[c.0].push(*w);
                        }
                    }
                    None => error = true,
                }
            }
            return error;
        }
        let Some(cut) = self.arg.node(v).cut else { return false };
        let steps = self.arg.steps(cut).to_vec();
        self.arg.node_mut(v).children = Some(Vec::new());
        for (step, to) in steps {
            let w = match to {
                None => {
                    error = true;
                    Arg::ERROR
                }
                // GETFUTURENODE
                Some(c) => match walk.future[c.0].last() {
                    Some(w) => *w,
                    None => {
                        let w = self.arg.add(Some(c));
                        walk.future[c.0].push(w);
                        w
                    }
                },
            };
            self.arg.connect(v, step, w);
            // The new edge must be looked at, whatever label its target had.
            self.arg.node_mut(w).marked = true;
        }
        error
    }

    /// Lines 33 to 40: a new label for `v`, by POST or from the refinement.
    fn relabel(&mut self, v: NodeId, labels: &FxHashMap<NodeId, Term>, active: &[NodeId]) -> Result<(), Stop> {
        if self.arg.node(v).marked {
            self.arg.node_mut(v).marked = false;
            // What an earlier walk visited below a node that is covered now does not count.
            let parents = self.arg.node(v).parents.iter().filter(|(u, _)| self.arg.node(*u).walk == self.walks);
            let steps: Vec<(Term, Step)> = parents.map(|(u, step)| (self.arg.node(*u).label, *step)).collect();
            let active: Vec<Term> = active.iter().map(|u| self.arg.node(*u).label).collect();
            let label = self.arrive(&steps, &active)?;
            self.arg.node_mut(v).label = label;
            for (_, w) in self.arg.node(v).children.clone().unwrap_or_default() {
                self.arg.node_mut(w).marked = true;
            }
        } else if let Some(label) = labels.get(&v) {
            self.arg.node_mut(v).label = *label;
            for (_, w) in self.arg.node(v).children.clone().unwrap_or_default() {
                if !labels.contains_key(&w) {
                    self.arg.node_mut(w).marked = true;
                }
            }
        }
        Ok(())
    }

    /// Line 43: the label of `v` implies the disjunction of the active heads' labels.
    fn is_covered(&mut self, v: NodeId, active: &[NodeId]) -> Result<bool, Stop> {
        let label = self.arg.node(v).label;
        if label.is_false() || active.iter().any(|u| self.arg.node(*u).label == label || self.arg.node(*u).label.is_true()) {
            return Ok(true);
        }
        if active.is_empty() {
            return Ok(false);
        }
        let any = Term::any(active.iter().map(|u| self.arg.node(*u).label));
        let known = self.arg.node(v).cut.map_or_else(Term::tt, |c| self.inductive.known(c));
        self.entails(label.and(known), any)
    }

    /// The active heads that a covered node is covered by: one where one is known to do, all together otherwise.
    fn coverers(&self, v: NodeId, active: &[NodeId]) -> Vec<NodeId> {
        let label = self.arg.node(v).label;
        let alone = active.iter().find(|u| self.arg.node(**u).label == label || self.arg.node(**u).label.is_true());
        match alone {
            _ if label.is_false() => Vec::new(),
            Some(u) => vec![*u],
            None => active.to_vec(),
        }
    }

    /// After covering the head at `position`: what was to be visited inside its component is not.
    fn forget_inside(&self, walk: &mut Walk, position: usize) {
        for inside in self.order.component(position) {
            walk.future[inside.0].clear();
        }
    }
}
