//! Values that are stored once each and go by their numbers.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The values, numbered from 0 on.
#[derive(Debug)]
pub(crate) struct Interned<T> {
    values: Vec<T>,
    ids: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Interned<T> {
    /// With the first values, which differ.
    pub(crate) fn new(first: impl IntoIterator<Item = T>) -> Interned<T> {
        let mut out = Interned { values: Vec::new(), ids: FxHashMap::default() };
        for t in first {
            out.id(t);
        }
        out
    }

    /// The number of a value.
    pub(crate) fn id(&mut self, t: T) -> u32 {
        if let Some(known) = self.ids.get(&t) {
            return *known;
        }
        let id = self.values.len() as u32;
        self.values.push(t.clone());
        self.ids.insert(t, id);
        id
    }

    pub(crate) fn get(&self, id: u32) -> &T {
        &self.values[id as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Stores another form of a value, one that is equal to it.
    pub(crate) fn replace(&mut self, id: u32, t: T) {
        debug_assert!(*self.get(id) == t, "only the form changes");
        self.values[id as usize] = t;
    }

    /// Forgets all but the first values.
    pub(crate) fn truncate(&mut self, kept: u32) {
        self.values.truncate(kept as usize);
        self.ids.retain(|_, id| *id < kept);
    }
}
