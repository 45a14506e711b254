//! Operations: all Boolean connectives by if-then-else, quantification, restriction, renaming.

use crate::manager::{Bdd, Full, Manager};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

impl Manager {
    /// The variable of a level.
    pub fn var(&mut self, level: u32) -> Result<Bdd, Full> {
        self.make(level, Bdd::FALSE, Bdd::TRUE)
    }

    /// `g` where `f` is true, `h` where it is false.
    pub fn ite(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Result<Bdd, Full> {
        if self.is_shallow([f, g, h]) {
            self.ite_in(f, g, h)
        } else {
            Err(Full)
        }
    }

    fn ite_in(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Result<Bdd, Full> {
        match (f, g, h) {
            (Bdd::TRUE, ..) => return Ok(g),
            (Bdd::FALSE, ..) => return Ok(h),
            (_, Bdd::TRUE, Bdd::FALSE) => return Ok(f),
            _ if g == h => return Ok(g),
            _ => {}
        }
        if let Some(known) = self.ite.get(&(f, g, h)) {
            return Ok(*known);
        }
        let level = self.level(f).min(self.level(g)).min(self.level(h));
        let at = |m: &Manager, value: bool| (m.branch(f, level, value), m.branch(g, level, value), m.branch(h, level, value));
        let (f0, g0, h0) = at(self, false);
        let low = self.ite_in(f0, g0, h0)?;
        let (f1, g1, h1) = at(self, true);
        let high = self.ite_in(f1, g1, h1)?;
        let out = self.make(level, low, high)?;
        self.ite.insert((f, g, h), out);
        Ok(out)
    }

    /// Negation.
    pub fn not(&mut self, f: Bdd) -> Result<Bdd, Full> {
        self.ite(f, Bdd::FALSE, Bdd::TRUE)
    }

    /// Conjunction.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Full> {
        self.ite(f, g, Bdd::FALSE)
    }

    /// Disjunction.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Full> {
        self.ite(f, Bdd::TRUE, g)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Full> {
        let other = self.not(g)?;
        self.ite(f, other, g)
    }

    /// Equivalence.
    pub fn iff(&mut self, f: Bdd, g: Bdd) -> Result<Bdd, Full> {
        let other = self.not(g)?;
        self.ite(f, g, other)
    }

    /// Whether `g` is true wherever `f` is.
    pub fn implies(&mut self, f: Bdd, g: Bdd) -> Result<bool, Full> {
        Ok(f == g || self.ite(f, g, Bdd::TRUE)? == Bdd::TRUE)
    }

    /// Whether there are values of the chosen levels for which `f` is true.
    pub fn exists(&mut self, f: Bdd, chosen: &dyn Fn(u32) -> bool) -> Result<Bdd, Full> {
        self.exists_in(f, chosen, &mut FxHashMap::default())
    }

    fn exists_in(&mut self, f: Bdd, chosen: &dyn Fn(u32) -> bool, done: &mut FxHashMap<Bdd, Bdd>) -> Result<Bdd, Full> {
        let Some((level, low, high)) = self.node(f) else { return Ok(f) };
        if let Some(known) = done.get(&f) {
            return Ok(*known);
        }
        let (low, high) = (self.exists_in(low, chosen, done)?, self.exists_in(high, chosen, done)?);
        let out = if chosen(level) { self.or(low, high)? } else { self.make(level, low, high)? };
        done.insert(f, out);
        Ok(out)
    }

    /// The function where a level has a value.
    pub fn restrict(&mut self, f: Bdd, level: u32, value: bool) -> Result<Bdd, Full> {
        let literal = self.var(level)?;
        let literal = if value { literal } else { self.not(literal)? };
        let part = self.and(f, literal)?;
        self.exists(part, &|l| l == level)
    }

    /// The function with other levels in place of its own, in the same order: the map must be strictly increasing on the levels that are tested.
    pub fn rename(&mut self, f: Bdd, to: &dyn Fn(u32) -> u32) -> Result<Bdd, Full> {
        self.rename_in(f, to, &mut FxHashMap::default())
    }

    fn rename_in(&mut self, f: Bdd, to: &dyn Fn(u32) -> u32, done: &mut FxHashMap<Bdd, Bdd>) -> Result<Bdd, Full> {
        let Some((level, low, high)) = self.node(f) else { return Ok(f) };
        if let Some(known) = done.get(&f) {
            return Ok(*known);
        }
        let (low, high) = (self.rename_in(low, to, done)?, self.rename_in(high, to, done)?);
        let out = self.make(to(level), low, high)?;
        done.insert(f, out);
        Ok(out)
    }

    /// The value for given values of the levels.
    pub fn eval(&self, f: Bdd, of: &dyn Fn(u32) -> bool) -> bool {
        let mut at = f;
        while let Some((level, low, high)) = self.node(at) {
            at = if of(level) { high } else { low };
        }
        at == Bdd::TRUE
    }

    /// The levels that a function depends on.
    pub fn support(&self, f: Bdd) -> BTreeSet<u32> {
        let (mut out, mut seen, mut todo) = (BTreeSet::new(), BTreeSet::new(), vec![f]);
        while let Some(f) = todo.pop() {
            if let (true, Some((level, low, high))) = (seen.insert(f), self.node(f)) {
                out.insert(level);
                todo.extend([low, high]);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAX_LEVELS;
    use proptest::prelude::*;

    const VARS: u32 = 5;

    /// A function by its truth table.
    fn of_table(m: &mut Manager, table: u32) -> Bdd {
        let mut out = Bdd::FALSE;
        for row in (0..1u32 << VARS).filter(|r| table >> r & 1 == 1) {
            let mut cube = Bdd::TRUE;
            for level in 0..VARS {
                let v = m.var(level).unwrap();
                let literal = if row >> level & 1 == 1 { v } else { m.not(v).unwrap() };
                cube = m.and(cube, literal).unwrap();
            }
            out = m.or(out, cube).unwrap();
        }
        out
    }

    fn table(m: &Manager, f: Bdd) -> u32 {
        (0..1u32 << VARS).filter(|r| m.eval(f, &|l| r >> l & 1 == 1)).fold(0, |t, r| t | 1 << r)
    }

    proptest! {
        #[test]
        fn operations_are_those_of_truth_tables(a: u32, b: u32, c: u32, level in 0..VARS) {
            let mut m = Manager::new(1 << 20);
            let (f, g, h) = (of_table(&mut m, a), of_table(&mut m, b), of_table(&mut m, c));
            prop_assert_eq!(table(&m, f), a);
            let out = [m.and(f, g), m.or(f, g), m.xor(f, g), m.iff(f, g), m.not(f), m.ite(f, g, h)].map(Result::unwrap);
            prop_assert_eq!(out.map(|f| table(&m, f)), [a & b, a | b, a ^ b, !(a ^ b), !a, (a & b) | (!a & c)]);
            prop_assert_eq!(m.implies(f, g).unwrap(), a & !b == 0);
            // One node for one function.
            let again = of_table(&mut m, a & b);
            prop_assert_eq!(out[0], again);
            let at = |value: bool| (0..1u32 << VARS).filter(|r| {
                let r = if value { r | 1 << level } else { r & !(1 << level) };
                a >> r & 1 == 1
            }).fold(0u32, |t, r| t | 1 << r);
            let low = m.restrict(f, level, false).unwrap();
            let some = m.exists(f, &|l| l == level).unwrap();
            prop_assert_eq!((table(&m, low), table(&m, some)), (at(false), at(false) | at(true)));
            prop_assert!(!m.support(some).contains(&level));
            let moved = m.rename(f, &|l| 2 * l + 1).unwrap();
            let back = m.rename(moved, &|l| l / 2).unwrap();
            prop_assert_eq!(back, f);
        }
    }

    #[test]
    fn a_full_manager_says_so_and_goes_on() {
        let mut m = Manager::new(10);
        let mut all = Bdd::TRUE;
        let full = (0..20).any(|l| match m.var(l).and_then(|v| m.xor(all, v)) {
            Ok(f) => {
                all = f;
                false
            }
            Err(Full) => true,
        });
        assert!(full && m.len() <= 10);
        assert_eq!(m.and(all, Bdd::FALSE), Ok(Bdd::FALSE));
    }

    /// Levels may be many, but functions do not test many one after the other: recursion is no deeper than that.
    #[test]
    fn levels_are_many_where_functions_are_shallow() {
        let mut m = Manager::new(1 << 20);
        let step = 1000;
        let chain = |m: &mut Manager, n: u32, first: u32| {
            (0..n).rev().try_fold(Bdd::TRUE, |f, i| {
                let v = m.var(first + i * step)?;
                m.and(v, f)
            })
        };
        let half = MAX_LEVELS / 2;
        let (f, g) = (chain(&mut m, half, 0).unwrap(), chain(&mut m, half + 1, 1).unwrap());
        assert_eq!(m.or(f, g), Err(Full));
        assert_eq!(chain(&mut m, MAX_LEVELS + 1, 0), Err(Full));
        let few = [0, 1].map(|first| chain(&mut m, 20, first).unwrap());
        let both = m.and(few[0], few[1]).unwrap();
        assert_eq!(m.support(both).len(), 40);
        assert_eq!(m.var(u32::MAX), Err(Full));
    }
}
