//! The reached set, partitioned by the key that the analysis names.
//!
//! Only states of one key are merged or compared. Where the analysis merges, a key has few states and they are a list. Where it never
//! does, a key can have very many (a counter with explicit values has one state per value): then they are indexed by [`Cpa::probe`], and a
//! new state is compared with those alone that can cover it, which keeps the cost of the set near-linear in its size.

use crate::arg::{Arg, NodeId};
use crate::cpa::Cpa;
use rustc_hash::FxHashMap;

#[derive(Debug)]
pub(crate) struct Reached<C: Cpa> {
    parts: FxHashMap<C::Key, Part>,
}

#[derive(Debug, Default)]
struct Part {
    /// States that may be merged.
    list: Vec<NodeId>,
    /// States that never are, by group: a member of it, and all members by the value of their probe.
    groups: Vec<(NodeId, FxHashMap<u64, Vec<NodeId>>)>,
}

impl<C: Cpa> Reached<C> {
    pub(crate) fn new() -> Reached<C> {
        Reached { parts: FxHashMap::default() }
    }

    /// The states to merge a new one with.
    pub(crate) fn mergeable(&self, key: &C::Key) -> &[NodeId] {
        self.parts.get(key).map_or(&[], |p| &p.list)
    }

    /// The states that can cover a new one.
    pub(crate) fn candidates(&self, cpa: &C, arg: &Arg<C>, key: &C::Key, e: &C::State) -> Vec<NodeId> {
        let Some(part) = self.parts.get(key) else { return Vec::new() };
        let mut out = part.list.clone();
        for (like, members) in &part.groups {
            let found = cpa.probe(e, arg.state(*like)).and_then(|h| members.get(&h));
            out.extend(found.into_iter().flatten());
        }
        out
    }

    /// Adds a state.
    pub(crate) fn insert(&mut self, cpa: &C, arg: &Arg<C>, key: C::Key, n: NodeId) {
        let part = self.parts.entry(key).or_default();
        if !cpa.never_merges() {
            part.list.push(n);
            return;
        }
        let e = arg.state(n);
        let value = cpa.probe(e, e).unwrap_or(0);
        let own = part.groups.iter_mut().find(|(like, _)| {
            let like = arg.state(*like);
            cpa.probe(e, like).is_some() && cpa.probe(like, e).is_some()
        });
        match own {
            Some((_, members)) => members.entry(value).or_default().push(n),
            None => part.groups.push((n, FxHashMap::from_iter([(value, vec![n])]))),
        }
    }
}
