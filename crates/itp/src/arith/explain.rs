//! Farkas lemmas, and why a propagated literal holds.

use super::atoms::Threshold;
use super::Arithmetic;
use crate::lit::Lit;
use crate::proof::Certificate;
use crate::theory::Lemma;
use plumb_num::{Int, Rat};

/// For each propagated literal, literals asserted before it and multipliers of their bounds that contradict its negation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    entries: Vec<Record>,
    items: Vec<(Lit, Int)>,
    of: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Record {
    var: u32,
    start: u32,
}

const NONE: u32 = u32::MAX;

impl Records {
    pub(crate) fn grow(&mut self, booleans: usize) {
        self.of.resize(booleans, NONE);
    }

    /// Records that the bounds of `items`, times the multipliers, contradict the negation of `lit`, itself among the items.
    pub(crate) fn add(&mut self, lit: Lit, items: impl IntoIterator<Item = (Lit, Int)>) {
        self.of[lit.var().index()] = self.entries.len() as u32;
        self.entries.push(Record { var: lit.var().0, start: self.items.len() as u32 });
        self.items.extend(items);
    }

    fn items(&self, lit: Lit) -> &[(Lit, Int)] {
        let at = self.of[lit.var().index()] as usize;
        let end = self.entries.get(at + 1).map_or(self.items.len(), |r| r.start as usize);
        &self.items[self.entries[at].start as usize..end]
    }

    pub(crate) fn mark(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn undo_to(&mut self, mark: usize) {
        if let Some(first) = self.entries.get(mark) {
            self.items.truncate(first.start as usize);
        }
        for record in self.entries.drain(mark..) {
            self.of[record.var as usize] = NONE;
        }
    }
}

impl Arithmetic {
    /// The lemma that the literals of `items` exclude each other: their bounds on columns, times the multipliers, add up to a contradiction.
    pub(crate) fn farkas(&self, items: &[(Lit, Int)]) -> Lemma {
        let clause = items.iter().map(|(l, _)| !*l).collect();
        let multipliers = items
            .iter()
            .map(|(l, m)| match self.threshold(*l) {
                Some(t) if !t.scale.is_one() => Rat::new(m.clone(), t.scale.clone()),
                _ => Rat::from(m.clone()),
            })
            .collect();
        debug_assert!(self.is_contradiction(items), "not a Farkas certificate: {items:?}");
        Lemma { clause, certificate: Certificate::Farkas(multipliers) }
    }

    /// The lemma recorded for `lit`.
    pub(crate) fn recorded(&self, lit: Lit) -> Lemma {
        self.farkas(self.records.items(lit))
    }

    fn is_contradiction(&self, items: &[(Lit, Int)]) -> bool {
        let mut sum = std::collections::BTreeMap::new();
        let mut bound = super::value::Value::ZERO;
        for (lit, m) in items {
            let Some(Threshold { col, le, at_most, at_least, .. }) = self.threshold(*lit) else { return false };
            // f - at_most ≤ 0 or at_least - f ≤ 0.
            let (sign, constant) = if lit == le { (m.clone(), -at_most) } else { (-m, at_least.clone()) };
            bound = &bound + &constant.scaled(m, &Int::ONE);
            for (x, a) in &self.forms[col.index()].terms {
                *sum.entry(*x).or_insert(Int::ZERO) += &(a * &sign);
            }
        }
        items.iter().all(|(_, m)| m.is_positive()) && sum.values().all(Int::is_zero) && bound.signum() > 0
    }
}
