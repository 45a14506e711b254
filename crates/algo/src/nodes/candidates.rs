//! What executions suggest of pointers and of every node: short disjunctions of atoms that hold in all states that were seen.
//!
//! Of every node `k` they are said under the condition that `k` is one.

use super::atoms::of_nodes;
use super::seen::{Observation, Seen};
use crate::guess::sample::State;
use plumb_term::eval::Value;
use plumb_term::visit::vars;
use plumb_term::{IBig, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Atoms of one node that are combined.
const MAX_ATOMS: usize = 90;

/// Which disjunctions are tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Extent {
    /// Single atoms.
    One,
    /// Two.
    Two,
    /// Three.
    Three,
}

impl Extent {
    /// Candidates of a kind at one cut point.
    fn most(self) -> usize {
        match self {
            Extent::One => 80,
            Extent::Two => 300,
            Extent::Three => 800,
        }
    }
}

impl Seen<'_> {
    /// What is suggested at a cut point.
    pub fn candidates(&self, cut: usize, extent: Extent) -> Vec<Term> {
        let layout = self.layout;
        let states: Vec<Observation<'_>> = self.states[cut].iter().map(|s| (s, None)).collect();
        if states.is_empty() || !self.cuts[cut].needed.contains(&self.program.heap_top) {
            return Vec::new();
        }
        let every = Term::var(layout.every());
        let pointers = self.pointers(cut);
        let plain = self.plain(cut, &pointers);
        // Of single nodes.
        let mut out = Vec::new();
        let mut single = plain.clone();
        for p in &pointers {
            let about = self.about(cut, *p, &pointers, extent);
            let is_null = |s: &State| self.number(cut, s, *p) == Some(IBig::ZERO);
            single.extend(if self.states[cut].iter().any(is_null) { of_nodes(*p, about) } else { about });
        }
        out.extend(self.clauses(cut, &states, &single, extent.min(Extent::Two)));
        // Of every node.
        let mut atoms = self.place(every, &pointers);
        atoms.extend(self.about(cut, every, &pointers, extent));
        if extent > Extent::One {
            atoms.extend(plain);
        }
        let guard = layout.is_node(every);
        let nodes = self.nodes(cut);
        out.extend(self.clauses(cut, &nodes, &atoms, extent).into_iter().map(|c| guard.implies(c)));
        if extent == Extent::Three {
            // The newest node is often not what the others are yet.
            let newest = every.plus(layout.stride.clone()).equals(layout.top);
            let older: Vec<Observation<'_>> =
                nodes.into_iter().filter(|o| self.eval(cut, o, &[newest]).pop().flatten() == Some(Value::Bool(false))).collect();
            out.extend(self.clauses(cut, &older, &atoms, extent).into_iter().map(|c| guard.and(newest.not()).implies(c)));
        }
        out
    }

    /// The disjunctions of atoms that hold in all observations and need all of their atoms.
    fn clauses(&self, cut: usize, observations: &[Observation<'_>], atoms: &[Term], extent: Extent) -> Vec<Term> {
        let every = self.layout.every();
        let quantified = observations.iter().any(|o| o.1.is_some());
        let mut kept: Vec<Term> = Vec::new();
        for a in atoms {
            if a.as_bool().is_none() && !kept.contains(a) {
                kept.push(*a);
            }
        }
        let speaks: Vec<bool> = kept.iter().map(|a| !quantified || vars([*a]).contains(&every)).collect();
        let arbitrary = self.arbitrary(cut, quantified);
        let arbitrary: Vec<Observation<'_>> = arbitrary.iter().map(|(s, n)| (s, n.clone())).collect();
        let (columns, anywhere) = (self.columns(cut, observations, &kept), self.columns(cut, &arbitrary, &kept));
        let mut out: Vec<Term> = Vec::new();
        // What any state satisfies says nothing.
        let mut add = |of: &[usize]| {
            let says = of.iter().any(|i| speaks[*i]) && !covers(&anywhere, of);
            let clause = Term::any(of.iter().map(|i| kept[*i]));
            if says && out.len() < extent.most() && !clause.is_true() {
                out.push(clause);
            }
        };
        (0..kept.len()).filter(|i| covers(&columns, &[*i])).for_each(|i| add(&[i]));
        // Atoms that are never true or always so combine to nothing new.
        let mut some: Vec<usize> =
            (0..kept.len()).filter(|i| !covers(&columns, &[*i]) && columns[*i].iter().any(|w| *w != 0)).take(MAX_ATOMS).collect();
        if extent == Extent::One {
            return out;
        }
        // Atoms that have always been equal stand for each other.
        let mut first: FxHashMap<&[u64], usize> = FxHashMap::default();
        let mut equal: Vec<Term> = Vec::new();
        some.retain(|i| {
            let first = *first.entry(&columns[*i]).or_insert(*i);
            if first != *i {
                let both = [kept[first].implies(kept[*i]), kept[*i].implies(kept[first])];
                equal.extend(both.into_iter().filter(|t| !t.is_true()));
            }
            first == *i
        });
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (x, i) in some.iter().enumerate() {
            for j in some[x + 1..].iter().filter(|j| covers(&columns, &[*i, **j])) {
                pairs.insert((*i, *j));
                add(&[*i, *j]);
            }
        }
        if extent == Extent::Two {
            out.extend(equal);
            return out;
        }
        for (x, i) in some.iter().enumerate() {
            for (y, j) in some.iter().enumerate().skip(x + 1).filter(|(_, j)| !pairs.contains(&(*i, **j))) {
                for k in some[y + 1..].iter().filter(|k| !pairs.contains(&(*i, **k)) && !pairs.contains(&(*j, **k))) {
                    if covers(&columns, &[*i, *j, *k]) {
                        add(&[*i, *j, *k]);
                    }
                }
            }
        }
        out.extend(equal);
        out
    }

    /// By atom, a bit for each observation in which it holds.
    fn columns(&self, cut: usize, observations: &[Observation<'_>], atoms: &[Term]) -> Vec<Vec<u64>> {
        let words = observations.len().div_ceil(64);
        // Bits beyond the last observation hold always.
        let rest = if observations.len() % 64 == 0 { 0 } else { u64::MAX << (observations.len() % 64) };
        let mut out = vec![vec![0; words]; atoms.len()];
        for (o, observation) in observations.iter().enumerate() {
            for (column, v) in out.iter_mut().zip(self.eval(cut, observation, atoms)) {
                column[o / 64] |= u64::from(v == Some(Value::Bool(true))) << (o % 64);
            }
        }
        for column in out.iter_mut().filter(|c| c.iter().any(|w| *w != 0)) {
            column.iter_mut().last().into_iter().for_each(|w| *w |= rest);
        }
        out
    }
}

/// Whether one of some columns has a bit everywhere.
fn covers(columns: &[Vec<u64>], of: &[usize]) -> bool {
    let words = of.first().map_or(0, |i| columns[*i].len());
    (0..words).all(|w| of.iter().fold(0, |bits, i| bits | columns[*i][w]) == u64::MAX)
}
