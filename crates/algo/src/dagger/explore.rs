//! Abstraction: `AbstractTREE` (Fig. 2) and the exploration of DAGs (Section 3).

use super::order::KeyId;
use super::search::{Arrival, Node, NodeId, Operation, Search};
use super::{Domain, Generalisation, Stop};
use plumb_cfa::Loc;
use plumb_num::{LinCons, NumDomain};
use std::collections::BTreeMap;

impl<D: NumDomain> Search<'_, D> {
    /// The root: every state is possible.
    pub(super) fn start(&mut self) {
        let loc = self.model.control.entry;
        let key = self.keys.root(loc);
        self.visited.push(key);
        let top = self.domain.top();
        self.make(key, top.clone(), Vec::new(), top, None);
    }

    /// Explores all that is pending: the errors that are reached; nothing if the search should start again.
    pub(super) fn explore(&mut self) -> Result<Option<Vec<NodeId>>, Stop> {
        let mut errors: Vec<NodeId> = Vec::new();
        while let Some(((_, key), arrivals)) = self.pending.pop_first() {
            if self.budget.is_over() {
                return Err(Stop::Time);
            }
            if self.is_tired() {
                return Ok(None);
            }
            self.visited.push(key);
            if let Some(n) = self.arrive(key, arrivals) {
                if self.is_target(self.node(n).loc) {
                    errors.push(n);
                    // A tree has one path to each error, which is refined at once.
                    if self.is_tree() {
                        break;
                    }
                }
            }
        }
        Ok(Some(errors))
    }

    /// Makes the node of a key, unless another one covers what arrives.
    fn arrive(&mut self, key: KeyId, arrivals: Vec<Arrival<D::Elem>>) -> Option<NodeId> {
        let loc = self.keys.get(key).loc;
        let arrivals = self.maximal(arrivals);
        let merged = arrivals.iter().map(|a| a.image.clone()).reduce(|a, b| self.domain.join(&a, &b))?;
        let covers = |n: &NodeId| !self.isolated.contains(&self.node(*n).key) && self.domain.leq(&merged, &self.node(*n).state);
        if !self.is_target(loc) && self.at[loc.index()].iter().any(covers) {
            self.figures.covered += 1;
            return None;
        }
        let sel = if self.keys.iteration(key).is_some() { self.sel(loc, &arrivals) } else { None };
        let state = match sel {
            Some(s) => self.widened(key, s, &merged),
            None => merged.clone(),
        };
        Some(self.make(key, state, arrivals, merged, sel))
    }

    /// The arrivals that no other one includes.
    fn maximal(&self, arrivals: Vec<Arrival<D::Elem>>) -> Vec<Arrival<D::Elem>> {
        let mut kept: Vec<Arrival<D::Elem>> = Vec::new();
        for a in arrivals {
            if kept.iter().any(|k| self.domain.leq(&a.image, &k.image)) {
                continue;
            }
            kept.retain(|k| !self.domain.leq(&k.image, &a.image));
            kept.push(a);
        }
        kept
    }

    /// `Sel`: the last node of the loop head on the way here. It is maximal: a node that an earlier one includes has no successors.
    fn sel(&self, head: Loc, arrivals: &[Arrival<D::Elem>]) -> Option<NodeId> {
        arrivals.iter().filter_map(|a| self.node(a.from).heads.get(&head)).max().copied()
    }

    /// The state at a loop head that is entered again with `image`, as the hints for its key say; with the cache, also as known errors ask for.
    pub(super) fn widened(&mut self, key: KeyId, sel: NodeId, image: &D::Elem) -> D::Elem {
        let loc = self.keys.get(key).loc;
        let hint = self.hints.get(&key).cloned().unwrap_or_default();
        let old = self.node(sel).state.clone();
        let joined = self.domain.join(&old, image);
        let delayed = self.keys.iteration(key).is_some_and(|i| i <= self.delay);
        let mut operation = if delayed { hint.operation.max(Operation::Join) } else { hint.operation };
        let mut state = self.apply(operation, loc, &old, &joined, image);
        if self.options.cache && operation == Operation::Widen {
            let known: Vec<D::Elem> = self.cache[loc.index()].clone();
            let hit: Vec<D::Elem> = known.into_iter().filter(|c| self.meets(&state, c) && !self.meets(&old, c)).collect();
            if !hit.is_empty() && hit.iter().all(|c| !self.meets(image, c)) {
                self.figures.repairs += 1;
                operation = self.separate(loc, &old, &joined, &hit);
                self.hints.entry(key).or_default().operation = operation;
                state = self.apply(operation, loc, &old, &joined, image);
            }
        }
        // Monotone from one abstraction to the next.
        match hint.bound {
            Some(b) if operation != Operation::Image && self.domain.leq(image, &b) => self.domain.meet(&state, &b),
            _ => state,
        }
    }

    /// The state that an operation gives.
    pub(super) fn apply(&self, operation: Operation, loc: Loc, old: &D::Elem, joined: &D::Elem, image: &D::Elem) -> D::Elem {
        match operation {
            Operation::Widen => {
                let t: Vec<LinCons> = self.interpolants[loc.index()].iter().cloned().collect();
                match self.options.generalisation {
                    Generalisation::Domain => self.domain.widen_up_to(old, joined, &t),
                    Generalisation::Paper => self.kept(old, joined, t),
                }
            }
            Operation::Join => joined.clone(),
            Operation::Image => image.clone(),
        }
    }

    /// `A ∇_T B` as the paper has it (Section 4): the constraints of `A` and `T` that hold in both.
    fn kept(&self, old: &D::Elem, joined: &D::Elem, t: Vec<LinCons>) -> D::Elem {
        if self.domain.is_bottom(old) {
            return joined.clone();
        }
        // In the order, which may be that of rational points: the result is above both.
        let holds = |e: &D::Elem, c: &LinCons| self.domain.entails(e, c) && self.domain.leq(e, &self.domain.assume(e, c));
        // An equation of a polyhedron is one constraint; octagons and boxes consist of bounds.
        let parts = |c: LinCons| if self.options.domain == Domain::Polyhedra { vec![c] } else { c.inequalities() };
        let own = self.domain.constraints(old).into_iter().flat_map(parts).filter(|c| holds(joined, c));
        let kept: Vec<LinCons> = own.chain(t.into_iter().filter(|c| holds(old, c) && holds(joined, c))).collect();
        self.domain.of_constraints(&kept)
    }

    /// A new node, and what leaves it.
    fn make(&mut self, key: KeyId, state: D::Elem, arrivals: Vec<Arrival<D::Elem>>, merged: D::Elem, widened: Option<NodeId>) -> NodeId {
        let loc = self.keys.get(key).loc;
        let id = NodeId(self.nodes.len());
        let mut heads: BTreeMap<Loc, NodeId> = BTreeMap::new();
        for a in &arrivals {
            for (l, n) in &self.node(a.from).heads {
                let last = heads.entry(*l).or_insert(*n);
                *last = (*last).max(*n);
            }
        }
        heads.insert(loc, id);
        let mut leaving = Vec::new();
        for i in &self.model.out[loc.index()] {
            if self.blocked.contains(&(key, *i)) {
                continue;
            }
            self.figures.transfers += 1;
            let image = self.model.edges[*i].action.image(&self.domain, &state);
            if !self.domain.is_bottom(&image) && self.is_possible(*i, &state) {
                leaving.push((*i, image));
            }
        }
        let visit = self.visited.len() - 1;
        self.figures.made += 1;
        self.nodes.push(Node { key, loc, state, arrivals, merged, widened, heads, leaving, visit });
        self.at[loc.index()].push(id);
        self.send(id, &|_| true);
        id
    }

    /// Makes the images that leave a node pending at the keys that `wanted` selects.
    pub(super) fn send(&mut self, n: NodeId, wanted: &dyn Fn(KeyId) -> bool) {
        for (edge, image) in self.node(n).leaving.clone() {
            let key = self.target_key(n, edge);
            if wanted(key) {
                let name = (self.keys.get(key).clone(), key);
                self.pending.entry(name).or_default().push(Arrival { from: n, edge, image });
            }
        }
    }

    /// The key that an edge leads to from a node.
    fn target_key(&mut self, n: NodeId, edge: usize) -> KeyId {
        let tree = self.is_tree();
        let from = self.node(n).key;
        let mut key = self.keys.step(from, self.model.edges[edge].to, tree);
        if tree || self.hints.get(&key).is_some_and(|h| h.split) {
            key = self.keys.split(key, from, edge);
        }
        key
    }
}
