//! `ApplyRefinement` (Fig. 2 and Section 3): splits, interpolated widening, implicit disjunction.

use super::interpolate::interpolant;
use super::search::{NodeId, Operation, Search};
use super::Widening;
use plumb_cfa::Loc;
use plumb_num::NumDomain;

/// So many error preimages are remembered at a location.
const MAX_CACHED: usize = 16;

impl<D: NumDomain> Search<'_, D> {
    /// Refines a node whose state meets the error preimages though the image of a predecessor does not; whether anything changed.
    /// Error preimages that `s''` meets as well are left to where `s''` comes from, unless `all` are asked for.
    pub(super) fn apply_refinement(&mut self, n: NodeId, causes: &[D::Elem], all: bool) -> bool {
        let node = &self.nodes[n.0];
        let (key, loc) = (node.key, node.loc);
        if causes.iter().any(|c| self.meets(&node.merged, c)) {
            // Joining what arrives was too coarse; with one arrival, its image is.
            let several = node.arrivals.len() > 1;
            if several {
                self.figures.splits += 1;
                self.hints.entry(key).or_default().split = true;
            }
            return several;
        }
        let Some(sel) = node.widened else { return false };
        let (old, image, state) = (self.node(sel).state.clone(), node.merged.clone(), node.state.clone());
        let joined = self.domain.join(&old, &image);
        if self.options.cache {
            self.remember(loc, causes);
        }
        let own: Vec<D::Elem> = causes.iter().filter(|c| all || !self.meets(&old, c)).cloned().collect();
        if own.is_empty() {
            return false;
        }
        let before = self.hints.get(&key).cloned().unwrap_or_default().operation;
        let wanted = self.separate(loc, &old, &joined, &own);
        let hint = self.hints.entry(key).or_default();
        hint.operation = wanted.max(before);
        let operation = hint.operation;
        if operation == Operation::Image && before != Operation::Image {
            self.figures.disjunctions += 1;
        }
        let mut next = self.apply(operation, loc, &old, &joined, &image);
        if operation != Operation::Image {
            next = self.domain.meet(&next, &state);
        }
        let changed = next != state;
        self.nodes[n.0].state = next;
        changed
    }

    /// How a loop head's state stays clear of error preimages that the image does not meet: interpolants where the join stays clear of them.
    pub(super) fn separate(&mut self, loc: Loc, old: &D::Elem, joined: &D::Elem, causes: &[D::Elem]) -> Operation {
        if causes.iter().any(|c| self.meets(joined, c)) {
            return Operation::Image;
        }
        if self.options.widening == Widening::Plain {
            return Operation::Join;
        }
        let mut widened = self.apply(Operation::Widen, loc, old, joined, joined);
        for c in causes {
            // An interpolant for one error often excludes others.
            if self.meets(&widened, c) {
                if let Some(i) = interpolant(&self.domain, self.options.interpolation, joined, c) {
                    self.interpolants[loc.index()].extend(i);
                    widened = self.apply(Operation::Widen, loc, old, joined, joined);
                }
            }
        }
        if causes.iter().any(|c| self.meets(&widened, c)) {
            Operation::Join
        } else {
            Operation::Widen
        }
    }

    /// Keeps error preimages for later abstractions.
    fn remember(&mut self, loc: Loc, causes: &[D::Elem]) {
        for c in causes {
            let known = &mut self.cache[loc.index()];
            if !known.iter().any(|k| self.domain.leq(c, k)) {
                known.retain(|k| !self.domain.leq(k, c));
                if known.len() < MAX_CACHED {
                    known.push(c.clone());
                }
            }
        }
    }
}
