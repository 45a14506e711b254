//! Multi-terminal diagrams: functions from Boolean variables to values that the caller numbers (Bahar et al. 1997).
//!
//! A leaf is a number with a meaning of the caller's; two leaves are equal if their numbers are. Nodes are shared and reduced as those of [`crate::Manager`] are, so
//! that a function has one diagram. An operation on leaves is lifted to diagrams by [`MultiManager::apply`]: it is asked once for each pair of leaves that meet.

use crate::manager::{Bdd, Full, Manager, MAX_LEVELS};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A function of a [`MultiManager`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Multi(u32);

/// What a diagram does first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Test {
    /// Nothing: it is a value.
    Leaf(u32),
    /// It tests a level.
    Level {
        /// The level.
        level: u32,
        /// What it is where that is false.
        low: Multi,
        /// What it is where that is true.
        high: Multi,
    },
}

/// All nodes.
#[derive(Debug)]
pub struct MultiManager {
    nodes: Vec<Test>,
    unique: FxHashMap<Test, Multi>,
    limit: usize,
}

impl MultiManager {
    /// With room for so many nodes.
    pub fn new(limit: usize) -> MultiManager {
        MultiManager { nodes: Vec::new(), unique: FxHashMap::default(), limit: limit.min(u32::MAX as usize) }
    }

    /// How many nodes there are, leaves included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a diagram does first.
    pub fn test(&self, f: Multi) -> Test {
        self.nodes[f.0 as usize]
    }

    fn unique(&mut self, node: Test) -> Result<Multi, Full> {
        if let Some(known) = self.unique.get(&node) {
            return Ok(*known);
        }
        if self.nodes.len() >= self.limit {
            return Err(Full);
        }
        let f = Multi(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, f);
        Ok(f)
    }

    /// The constant function of a value.
    pub fn leaf(&mut self, value: u32) -> Result<Multi, Full> {
        self.unique(Test::Leaf(value))
    }

    /// The function that tests a level, which must come before all that the two others test.
    pub fn make(&mut self, level: u32, low: Multi, high: Multi) -> Result<Multi, Full> {
        if low == high {
            return Ok(low);
        }
        if level >= MAX_LEVELS {
            return Err(Full);
        }
        self.unique(Test::Level { level, low, high })
    }

    fn level(&self, f: Multi) -> u32 {
        match self.test(f) {
            Test::Leaf(_) => u32::MAX,
            Test::Level { level, .. } => level,
        }
    }

    fn branch(&self, f: Multi, at: u32) -> (Multi, Multi) {
        match self.test(f) {
            Test::Level { level, low, high } if level == at => (low, high),
            _ => (f, f),
        }
    }

    /// One value where a Boolean function is true, another where it is false.
    pub fn choose(&mut self, dd: &Manager, f: Bdd, yes: u32, no: u32) -> Result<Multi, Full> {
        self.choose_in(dd, f, yes, no, &mut FxHashMap::default())
    }

    fn choose_in(&mut self, dd: &Manager, f: Bdd, yes: u32, no: u32, done: &mut FxHashMap<Bdd, Multi>) -> Result<Multi, Full> {
        let Some((level, low, high)) = dd.node(f) else { return self.leaf(if f == Bdd::TRUE { yes } else { no }) };
        if let Some(known) = done.get(&f) {
            return Ok(*known);
        }
        let (low, high) = (self.choose_in(dd, low, yes, no, done)?, self.choose_in(dd, high, yes, no, done)?);
        let out = self.make(level, low, high)?;
        done.insert(f, out);
        Ok(out)
    }

    /// An operation on the values of two functions.
    pub fn apply(&mut self, f: Multi, g: Multi, op: &mut dyn FnMut(u32, u32) -> u32) -> Result<Multi, Full> {
        self.apply_in(f, g, op, &mut FxHashMap::default())
    }

    fn apply_in(
        &mut self,
        f: Multi,
        g: Multi,
        op: &mut dyn FnMut(u32, u32) -> u32,
        done: &mut FxHashMap<(Multi, Multi), Multi>,
    ) -> Result<Multi, Full> {
        if let (Test::Leaf(a), Test::Leaf(b)) = (self.test(f), self.test(g)) {
            return self.leaf(op(a, b));
        }
        if let Some(known) = done.get(&(f, g)) {
            return Ok(*known);
        }
        let level = self.level(f).min(self.level(g));
        let ((f0, f1), (g0, g1)) = (self.branch(f, level), self.branch(g, level));
        let (low, high) = (self.apply_in(f0, g0, op, done)?, self.apply_in(f1, g1, op, done)?);
        let out = self.make(level, low, high)?;
        done.insert((f, g), out);
        Ok(out)
    }

    /// An operation on the values of a function.
    pub fn map(&mut self, f: Multi, op: &mut dyn FnMut(u32) -> u32) -> Result<Multi, Full> {
        self.apply(f, f, &mut |a, _| op(a))
    }

    /// The function without the chosen levels: `op` combines the values for false and true.
    pub fn combine(&mut self, f: Multi, chosen: &dyn Fn(u32) -> bool, op: &mut dyn FnMut(u32, u32) -> u32) -> Result<Multi, Full> {
        self.combine_in(f, chosen, op, &mut FxHashMap::default())
    }

    fn combine_in(
        &mut self,
        f: Multi,
        chosen: &dyn Fn(u32) -> bool,
        op: &mut dyn FnMut(u32, u32) -> u32,
        done: &mut FxHashMap<Multi, Multi>,
    ) -> Result<Multi, Full> {
        let Test::Level { level, low, high } = self.test(f) else { return Ok(f) };
        if let Some(known) = done.get(&f) {
            return Ok(*known);
        }
        let (low, high) = (self.combine_in(low, chosen, op, done)?, self.combine_in(high, chosen, op, done)?);
        let out = if chosen(level) { self.apply(low, high, op)? } else { self.make(level, low, high)? };
        done.insert(f, out);
        Ok(out)
    }

    /// The function with other levels in place of its own: the map must be strictly increasing on the levels that are tested.
    pub fn rename(&mut self, f: Multi, to: &dyn Fn(u32) -> u32) -> Result<Multi, Full> {
        self.rename_in(f, to, &mut FxHashMap::default())
    }

    fn rename_in(&mut self, f: Multi, to: &dyn Fn(u32) -> u32, done: &mut FxHashMap<Multi, Multi>) -> Result<Multi, Full> {
        let Test::Level { level, low, high } = self.test(f) else { return Ok(f) };
        if let Some(known) = done.get(&f) {
            return Ok(*known);
        }
        let (low, high) = (self.rename_in(low, to, done)?, self.rename_in(high, to, done)?);
        let out = self.make(to(level), low, high)?;
        done.insert(f, out);
        Ok(out)
    }

    /// The value for given values of the levels.
    pub fn eval(&self, f: Multi, of: &dyn Fn(u32) -> bool) -> u32 {
        let mut at = f;
        loop {
            match self.test(at) {
                Test::Leaf(v) => return v,
                Test::Level { level, low, high } => at = if of(level) { high } else { low },
            }
        }
    }

    /// The values that a function takes.
    pub fn leaves(&self, f: Multi) -> BTreeSet<u32> {
        let (mut out, mut seen, mut todo) = (BTreeSet::new(), BTreeSet::new(), vec![f]);
        while let Some(f) = todo.pop() {
            match self.test(f) {
                Test::Leaf(v) => {
                    out.insert(v);
                }
                Test::Level { low, high, .. } if seen.insert(f) => todo.extend([low, high]),
                Test::Level { .. } => {}
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const VARS: u32 = 3;

    /// A function by its values.
    fn of_table(m: &mut MultiManager, table: &[u32], level: u32) -> Multi {
        if level == VARS {
            return m.leaf(table[0]).unwrap();
        }
        // The first level is the lowest bit of the row.
        let half = |bit: usize| table.iter().copied().skip(bit).step_by(2).collect::<Vec<_>>();
        let (low, high) = (of_table(m, &half(0), level + 1), of_table(m, &half(1), level + 1));
        m.make(level, low, high).unwrap()
    }

    fn table(m: &MultiManager, f: Multi) -> Vec<u32> {
        (0..1u32 << VARS).map(|r| m.eval(f, &|l| r >> l & 1 == 1)).collect()
    }

    proptest! {
        #[test]
        fn operations_are_those_of_tables(
            a in prop::collection::vec(0u32..4, 8), b in prop::collection::vec(0u32..4, 8), level in 0..VARS, truth: u8,
        ) {
            let mut m = MultiManager::new(1 << 16);
            let (f, g) = (of_table(&mut m, &a, 0), of_table(&mut m, &b, 0));
            prop_assert_eq!(table(&m, f), a.clone());
            let sum = m.apply(f, g, &mut |x, y| x + y).unwrap();
            let expected: Vec<u32> = a.iter().zip(&b).map(|(x, y)| x + y).collect();
            prop_assert_eq!(table(&m, sum), expected.clone());
            let again = of_table(&mut m, &expected, 0);
            prop_assert_eq!(again, sum);
            let most = m.combine(f, &|l| l == level, &mut |x, y| x.max(y)).unwrap();
            let expected: Vec<u32> = (0..8usize).map(|r| a[r | 1 << level].max(a[r & !(1 << level)])).collect();
            prop_assert_eq!(table(&m, most), expected);
            let moved = m.rename(f, &|l| 2 * l + 1).unwrap();
            let back = m.rename(moved, &|l| l / 2).unwrap();
            prop_assert_eq!(back, f);
            prop_assert_eq!(m.leaves(f), a.iter().copied().collect::<BTreeSet<u32>>());
            let mut dd = Manager::new(1 << 16);
            let mut set = Bdd::FALSE;
            for row in (0..8u32).filter(|r| truth >> r & 1 == 1) {
                let mut cube = Bdd::TRUE;
                for l in 0..VARS {
                    let v = dd.var(l).unwrap();
                    let v = if row >> l & 1 == 1 { v } else { dd.not(v).unwrap() };
                    cube = dd.and(cube, v).unwrap();
                }
                set = dd.or(set, cube).unwrap();
            }
            let chosen = m.choose(&dd, set, 7, 5).unwrap();
            prop_assert_eq!(table(&m, chosen), (0..8u32).map(|r| if truth >> r & 1 == 1 { 7 } else { 5 }).collect::<Vec<_>>());
        }
    }
}
