//! Where a node stands in the unrolling, and which nodes are one.
//!
//! Unrolling the loops of the control-flow graph gives a DAG. A [`Key`] names a node of it: a location, its *place* (positions in the weak
//! topological order and iteration numbers of the loops around it), and a *tag*, the refinements that keep it apart from others at the same place. Paths
//! that lead to the same key are merged; taking pending keys in their order visits each after all its predecessors. Keys stay the same from one
//! abstraction to the next, so hints can refer to them.

use plumb_cfa::wto::Wto;
use plumb_cfa::{Graph, Loc};
use rustc_hash::FxHashMap;

/// A key by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyId(pub usize);

/// A tag by its number; the first is no tag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TagId(usize);

/// Names a node. The order of keys is that of exploration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// The number of steps from the root, where exploration goes by it; zero in a DAG.
    pub depth: u32,
    /// `position, iteration` for each loop around, outermost first, then the position of the location.
    pub place: Vec<u32>,
    /// The location.
    pub loc: Loc,
    /// What keeps it apart.
    pub tag: TagId,
}

/// Keys and their order.
#[derive(Clone, Debug)]
pub struct Keys {
    wto: Wto,
    keys: Vec<Key>,
    known: FxHashMap<Key, KeyId>,
    tags: FxHashMap<(KeyId, usize), TagId>,
}

impl Keys {
    /// Of a control-flow graph.
    pub fn new(shape: &Graph, entry: Loc) -> Keys {
        Keys { wto: Wto::new(shape, entry), keys: Vec::new(), known: FxHashMap::default(), tags: FxHashMap::default() }
    }

    /// A key.
    pub fn get(&self, k: KeyId) -> &Key {
        &self.keys[k.0]
    }

    fn intern(&mut self, key: Key) -> KeyId {
        let next = KeyId(self.keys.len());
        let id = *self.known.entry(key.clone()).or_insert(next);
        if id == next {
            self.keys.push(key);
        }
        id
    }

    /// The key of a location that has been entered anew.
    pub fn root(&mut self, loc: Loc) -> KeyId {
        let mut place = Vec::new();
        for c in self.wto.components(loc) {
            place.extend([self.wto.position(self.wto.head(c)).unwrap_or(u32::MAX), 0]);
        }
        place.push(self.wto.position(loc).unwrap_or(u32::MAX));
        self.intern(Key { depth: 0, place, loc, tag: TagId(0) })
    }

    /// The key after a step to `to`: in the same iteration of loops that go on, in the first of those that are entered.
    pub fn step(&mut self, from: KeyId, to: Loc, deep: bool) -> KeyId {
        let Key { depth, place, tag, .. } = self.get(from).clone();
        let mut next = Vec::with_capacity(place.len() + 2);
        let mut shared = true;
        for (i, c) in self.wto.components(to).into_iter().enumerate() {
            let head = self.wto.position(self.wto.head(c)).unwrap_or(u32::MAX);
            shared = shared && 2 * i + 2 < place.len() && place[2 * i] == head;
            let again = u32::from(shared && self.wto.head(c) == to);
            let iteration = if shared { place[2 * i + 1] + again } else { 0 };
            next.extend([head, iteration]);
            shared = shared && again == 0;
        }
        next.push(self.wto.position(to).unwrap_or(u32::MAX));
        self.intern(Key { depth: if deep { depth + 1 } else { 0 }, place: next, loc: to, tag })
    }

    /// The key `k` kept apart for what comes from `parent` by the edge `edge`.
    pub fn split(&mut self, k: KeyId, parent: KeyId, edge: usize) -> KeyId {
        let next = TagId(self.tags.len() + 1);
        let tag = *self.tags.entry((parent, edge)).or_insert(next);
        let key = Key { tag, ..self.get(k).clone() };
        self.intern(key)
    }

    /// If a key is that of a loop head: how often it has been entered again since the loop was entered.
    pub fn iteration(&self, k: KeyId) -> Option<u32> {
        let key = self.get(k);
        self.wto.headed_by(key.loc)?;
        key.place.len().checked_sub(2).map(|i| key.place[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_cfa::{LocInfo, Op};
    use plumb_term::Span;

    /// 0 → 1 (outer head) → 2 (inner head) → 2, 2 → 3 → 1, 1 → 4.
    fn nested() -> Keys {
        let mut g = Graph::new();
        (0..5).for_each(|_| {
            g.add_loc(LocInfo::default());
        });
        for (a, b) in [(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (1, 4)] {
            g.add_edge(Loc(a), Loc(b), Op::Skip, Span::NONE);
        }
        Keys::new(&g, Loc(0))
    }

    #[test]
    fn predecessors_come_first_and_exits_meet() {
        let mut k = nested();
        let root = k.root(Loc(0));
        let outer = k.step(root, Loc(1), false);
        let inner = k.step(outer, Loc(2), false);
        let again = k.step(inner, Loc(2), false);
        assert_eq!((k.iteration(inner), k.iteration(again), k.iteration(root)), (Some(0), Some(1), None));
        let (early, late) = (k.step(inner, Loc(3), false), k.step(again, Loc(3), false));
        assert_eq!(early, late);
        let next = k.step(early, Loc(1), false);
        assert_eq!(k.iteration(next), Some(1));
        let exits = [k.step(outer, Loc(4), false), k.step(next, Loc(4), false)];
        assert_eq!(exits[0], exits[1]);
        let order = [root, outer, inner, again, early, next, exits[0]];
        assert!(order.windows(2).all(|w| k.get(w[0]) < k.get(w[1])));
        // An inner loop that is entered anew begins with its first iteration.
        let inner2 = k.step(next, Loc(2), false);
        assert!(inner2 != inner && k.iteration(inner2) == Some(0));
    }

    #[test]
    fn descendants_of_split_keys_stay_apart() {
        let mut k = nested();
        let root = k.root(Loc(0));
        let outer = k.step(root, Loc(1), false);
        let (a, b) = (k.split(outer, root, 0), k.split(outer, root, 1));
        assert!(a != b && a != outer);
        assert_ne!(k.step(a, Loc(4), false), k.step(b, Loc(4), false));
    }
}
