//! Orders of variables: a function's diagram can be exponentially larger in one order than in another.
//!
//! Sifting (Rudell, ICCAD 1993) moves one group of variables after the other through all positions and leaves it at the best, again while that helps. Here nodes are never given back, so a candidate order
//! is tried by building the diagrams anew in a manager of its own; the caller does the same with the order that is found ([`Manager::transfer`]).

use crate::manager::{Bdd, Full, Manager};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many times the size of the diagrams may be built anew in search of an order.
const EFFORT: usize = 1_000;

impl Manager {
    /// The same function in another manager, with other levels in any order.
    pub fn transfer(&self, f: Bdd, to: &mut Manager, level: &dyn Fn(u32) -> u32, done: &mut FxHashMap<Bdd, Bdd>) -> Result<Bdd, Full> {
        let Some((own, low, high)) = self.node(f) else { return Ok(f) };
        if let Some(known) = done.get(&f) {
            return Ok(*known);
        }
        let (low, high) = (self.transfer(low, to, level, done)?, self.transfer(high, to, level, done)?);
        let test = to.var(level(own))?;
        let out = to.ite(test, high, low)?;
        done.insert(f, out);
        Ok(out)
    }

    /// How many nodes functions have together, by level.
    pub fn profile(&self, roots: &[Bdd]) -> BTreeMap<u32, usize> {
        let (mut out, mut seen, mut todo) = (BTreeMap::new(), FxHashSet::default(), roots.to_vec());
        while let Some(f) = todo.pop() {
            if let (true, Some((level, low, high))) = (seen.insert(f), self.node(f)) {
                *out.entry(level).or_insert(0) += 1;
                todo.extend([low, high]);
            }
        }
        out
    }

    /// How many nodes functions have together.
    pub fn size(&self, roots: &[Bdd]) -> usize {
        self.profile(roots).values().sum()
    }

    /// Whether a function has more than so many nodes.
    pub fn is_larger(&self, f: Bdd, limit: usize) -> bool {
        let (mut seen, mut todo) = (FxHashSet::default(), vec![f]);
        while let Some(f) = todo.pop() {
            if let Some((_, low, high)) = self.node(f) {
                if seen.insert(f) {
                    if seen.len() > limit {
                        return true;
                    }
                    todo.extend([low, high]);
                }
            }
        }
        false
    }
}

/// An order of groups of levels, each of which stays together, in which functions have few nodes; and how many.
pub fn sift(dd: &Manager, roots: &[Bdd], groups: &[Vec<u32>]) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let mut best = dd.size(roots);
    let mut effort = EFFORT.saturating_mul(best.max(16));
    let profile = dd.profile(roots);
    let weight = |g: &usize| groups[*g].iter().filter_map(|l| profile.get(l)).sum::<usize>();
    let mut heaviest = order.clone();
    heaviest.retain(|g| weight(g) > 0);
    heaviest.sort_by_key(|g| (Reverse(weight(g)), *g));
    loop {
        let before = best;
        for g in &heaviest {
            let without: Vec<usize> = order.iter().copied().filter(|o| o != g).collect();
            for position in 0..=without.len() {
                let mut tried = without.clone();
                tried.insert(position, *g);
                if tried == order || effort == 0 {
                    continue;
                }
                // An order that needs much more than the best is given up half-way.
                let Some(size) = size_in(dd, roots, groups, &tried, 4 * best + 64, &mut effort) else { continue };
                if size < best {
                    (best, order) = (size, tried);
                }
            }
        }
        if best == before || effort == 0 {
            break;
        }
    }
    (order, best)
}

/// How many nodes functions have in an order; nothing if building them takes more than a limit.
fn size_in(dd: &Manager, roots: &[Bdd], groups: &[Vec<u32>], order: &[usize], limit: usize, effort: &mut usize) -> Option<usize> {
    let levels: FxHashMap<u32, u32> = order.iter().flat_map(|g| &groups[*g]).enumerate().map(|(i, l)| (*l, i as u32)).collect();
    let mut other = Manager::new(limit.min(*effort));
    let mut done = FxHashMap::default();
    let level = |l: u32| levels.get(&l).copied().unwrap_or(l);
    let moved: Result<Vec<Bdd>, Full> = roots.iter().map(|f| dd.transfer(*f, &mut other, &level, &mut done)).collect();
    *effort = effort.saturating_sub(other.len());
    moved.ok().map(|roots| other.size(&roots))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x₀ = y₀ ∧ x₁ = y₁ ∧ …` is exponential where all x come first, linear where each x is beside its y.
    fn equations(dd: &mut Manager, n: u32) -> Bdd {
        let mut all = Bdd::TRUE;
        for i in 0..n {
            let (x, y) = (dd.var(i).unwrap(), dd.var(n + i).unwrap());
            let same = dd.iff(x, y).unwrap();
            all = dd.and(all, same).unwrap();
        }
        all
    }

    #[test]
    fn sifting_finds_a_better_order() {
        const N: u32 = 7;
        let mut dd = Manager::new(1 << 20);
        let f = equations(&mut dd, N);
        assert!(dd.size(&[f]) > 1 << N);
        let groups: Vec<Vec<u32>> = (0..2 * N).map(|l| vec![l]).collect();
        let (order, size) = sift(&dd, &[f], &groups);
        assert!(3 * size < dd.size(&[f]), "{size} of {}", dd.size(&[f]));
        let place: Vec<u32> = (0..2 * N).map(|l| order.iter().position(|g| *g == l as usize).unwrap() as u32).collect();
        let mut other = Manager::new(1 << 20);
        let moved = dd.transfer(f, &mut other, &|l| place[l as usize], &mut FxHashMap::default()).unwrap();
        assert_eq!(other.size(&[moved]), size);
        for bits in 0..1u32 << (2 * N) {
            assert_eq!(dd.eval(f, &|l| bits >> l & 1 == 1), other.eval(moved, &|at| bits >> order[at as usize] & 1 == 1));
        }
    }

    #[test]
    fn groups_stay_together() {
        let mut dd = Manager::new(1 << 16);
        let f = equations(&mut dd, 3);
        let (order, size) = sift(&dd, &[f], &[vec![0, 1], vec![2, 3], vec![4, 5]]);
        assert_eq!(order.len(), 3);
        assert!(size <= dd.size(&[f]));
    }
}
