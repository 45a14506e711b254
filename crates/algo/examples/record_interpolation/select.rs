//! A varied selection of problems.
//!
//! Many programs are variants of one another. Of the families that agree in their cut points, blocks and sizes one is kept; those are put
//! in order of size and taken at even distances, as many as fit. No timing has any part in it.

use plumb_smt::interpolate::Family;
use plumb_term::visit::postorder;
use std::collections::{BTreeMap, BTreeSet};

/// The problems kept of one program: the first, the last and those in between at even distances.
const MEMBERS: usize = 3;

/// One of each kind, the smallest first, with at most about `bytes` of text.
pub fn varied(families: Vec<Family>, bytes: usize) -> Vec<Family> {
    let mut kinds: BTreeMap<(usize, usize, usize, usize), Family> = BTreeMap::new();
    for mut f in families {
        let n = f.members.len();
        let wanted: BTreeSet<usize> = (0..MEMBERS).map(|i| i * n.saturating_sub(1) / (MEMBERS - 1)).collect();
        f.members = f.members.into_iter().enumerate().filter(|(i, _)| wanted.contains(i)).map(|(_, m)| m).collect();
        let size = postorder(f.blocks.iter().map(|b| b.formula)).len();
        let vars = f.cuts.iter().map(Vec::len).sum();
        kinds.entry((size, f.cuts.len(), f.blocks.len(), vars)).or_insert(f);
    }
    let all: Vec<(usize, Family)> = kinds.into_values().map(|f| (f.write().len(), f)).collect();
    let spread = |count: usize| -> BTreeSet<usize> { (0..count).map(|i| i * all.len() / count).collect() };
    let text = |count: usize| spread(count).iter().map(|i| all[*i].0).sum::<usize>();
    let count = (1..=all.len()).rev().find(|c| text(*c) <= bytes).unwrap_or(0);
    let wanted = spread(count.max(1));
    all.into_iter().enumerate().filter(|(i, _)| wanted.contains(i)).map(|(_, f)| f.1).collect()
}
