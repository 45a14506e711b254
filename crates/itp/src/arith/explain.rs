//! Farkas lemmas, and why a propagated literal holds.

use super::atoms::Threshold;
use super::bounds::Time;
use super::value::Value;
use super::Arithmetic;
use crate::lit::Lit;
use crate::proof::Certificate;
use crate::theory::Lemma;
use plumb_num::{Int, Rat};

/// For each propagated literal, bounds asserted before it and their coefficients in a row that contradicts its negation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    entries: Vec<Record>,
    terms: Vec<(Time, Int)>,
    of: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Record {
    var: u32,
    start: u32,
    /// The coefficient of the literal's own column.
    coefficient: Int,
}

const NONE: u32 = u32::MAX;

impl Records {
    pub(crate) fn grow(&mut self, booleans: usize) {
        self.of.resize(booleans, NONE);
    }

    /// Records that the sum of a row, with these bounds and with the bound that denies `lit`, is not zero.
    pub(crate) fn add(&mut self, lit: Lit, coefficient: Int, terms: impl IntoIterator<Item = (Time, Int)>) {
        self.of[lit.var().index()] = self.entries.len() as u32;
        self.entries.push(Record { var: lit.var().0, start: self.terms.len() as u32, coefficient });
        self.terms.extend(terms);
    }

    fn of(&self, lit: Lit) -> (&Int, &[(Time, Int)]) {
        let at = self.of[lit.var().index()] as usize;
        let end = self.entries.get(at + 1).map_or(self.terms.len(), |r| r.start as usize);
        let record = &self.entries[at];
        (&record.coefficient, &self.terms[record.start as usize..end])
    }

    pub(crate) fn mark(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn undo_to(&mut self, mark: usize) {
        if let Some(first) = self.entries.get(mark) {
            self.terms.truncate(first.start as usize);
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
        let (coefficient, terms) = self.records.of(lit);
        self.weakened(terms.to_vec(), Some((!lit, coefficient)))
    }

    /// The lemma of a row whose sum is not zero with these bounds and that of one more literal.
    ///
    /// Bounds are replaced by weaker ones that held before, the latest first, as far as the sum allows: the lemma then excludes more,
    /// and refers to less of the recent past.
    pub(crate) fn weakened(&self, mut terms: Vec<(Time, Int)>, more: Option<(Lit, &Int)>) -> Lemma {
        let mut sum = Value::ZERO;
        for (time, c) in &terms {
            sum = &sum + &self.bounds.set_at(*time).0.scaled(c, &Int::ONE);
        }
        if let Some((lit, c)) = more {
            if let Some(t) = self.threshold(lit) {
                sum = &sum + &(if lit == t.le { &t.at_most } else { &t.at_least }).scaled(c, &Int::ONE);
            }
        }
        let mut excess = if sum.signum() < 0 { -&sum } else { sum };
        terms.sort_by_key(|t| std::cmp::Reverse(t.0));
        for (time, c) in &mut terms {
            while let Some(weaker) = self.bounds.before(*time) {
                let step = (self.bounds.set_at(weaker).0 - self.bounds.set_at(*time).0).scaled(c, &Int::ONE);
                let step = if step.signum() < 0 { -&step } else { step };
                if step >= excess {
                    break;
                }
                excess = &excess - &step;
                *time = weaker;
            }
        }
        let items = terms.iter().map(|(time, c)| (self.bounds.set_at(*time).1, c.abs()));
        let items: Vec<(Lit, Int)> = items.chain(more.map(|(l, c)| (l, c.abs()))).collect();
        self.farkas(&items)
    }

    fn is_contradiction(&self, items: &[(Lit, Int)]) -> bool {
        let mut sum = std::collections::BTreeMap::new();
        let mut bound = Value::ZERO;
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
