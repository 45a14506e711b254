//! Interned sets of steps.

use plumb_cpa::StepId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct SetId(u32);

/// All sets that there are, and their unions.
#[derive(Debug, Default)]
pub(super) struct Sets {
    sets: Vec<Arc<[StepId]>>,
    ids: FxHashMap<Arc<[StepId]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Sets {
    /// The set of these steps, ascending.
    pub(super) fn intern(&mut self, steps: &[StepId]) -> SetId {
        if let Some(id) = self.ids.get(steps) {
            return *id;
        }
        let id = SetId(self.sets.len() as u32);
        let set: Arc<[StepId]> = steps.into();
        self.sets.push(set.clone());
        self.ids.insert(set, id);
        id
    }

    pub(super) fn get(&self, id: SetId) -> Arc<[StepId]> {
        self.sets[id.0 as usize].clone()
    }

    pub(super) fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b {
            return a;
        }
        let pair = if a.0 < b.0 { (a, b) } else { (b, a) };
        if let Some(id) = self.unions.get(&pair) {
            return *id;
        }
        let mut all: Vec<StepId> = self.get(a).iter().chain(self.get(b).iter()).copied().collect();
        all.sort_unstable();
        all.dedup();
        let id = self.intern(&all);
        self.unions.insert(pair, id);
        id
    }
}
