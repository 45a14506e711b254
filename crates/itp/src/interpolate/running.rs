//! Farkas lemmas along a sequence of cuts.
//!
//! From the cut before part `k` to the next one, A's share of a lemma only grows. A lemma therefore keeps the sum of the literals that are A's so far: all cuts together cost one addition for each literal, and an atom for
//! each cut at which the share changes. Variables of one side alone cancel, so the kept sum is as small as the interpolant.

use super::cut::Spans;
use super::{Error, Strength};
use crate::linear::{Linear, NumVar};
use crate::lit::Lit;
use crate::pool::{Id, Pool};
use crate::proof::Proof;
use plumb_num::{Int, Rat};
use std::collections::BTreeMap;

/// A literal of the lemma: A's at the cuts before parts beyond `last`.
struct Share {
    last: u32,
    literal: Lit,
    multiplier: Int,
}

/// A lemma with the sum of A's literals at the last cut.
pub struct Running {
    /// Ascending.
    shares: Vec<Share>,
    /// Cuts `k` with `low < k ≤ high` have a literal on no side.
    gaps: Vec<(u32, u32)>,
    taken: usize,
    terms: BTreeMap<NumVar, Int>,
    constant: Int,
    strict: bool,
    atom: Id,
}

impl Running {
    /// A lemma before the first cut.
    pub fn new(spans: &Spans, strength: Strength, clause: &[Lit], multipliers: &[Rat]) -> Running {
        let scale = multipliers.iter().fold(Int::ONE, |d, q| d.lcm(q.den()));
        let mut gaps = Vec::new();
        let mut shares = Vec::with_capacity(clause.len());
        for (&literal, q) in clause.iter().zip(multipliers) {
            let (first, last) = spans.boolean(literal.var());
            if last < first {
                gaps.push((last, first));
            }
            let last = if strength == Strength::Dual { first } else { first.max(last) };
            shares.push(Share { last, literal, multiplier: q.num() * &scale.div_exact(q.den()) });
        }
        shares.sort_by_key(|s| s.last);
        Running { shares, gaps, taken: 0, terms: BTreeMap::new(), constant: Int::ZERO, strict: false, atom: Id::TRUE }
    }

    /// The partial interpolant at the cut before part `k`.
    pub fn at(&mut self, proof: &Proof, pool: &mut Pool, k: u32) -> Result<Id, Error> {
        if self.gaps.iter().any(|&(low, high)| low < k && k <= high) {
            return Err(Error::Mixed);
        }
        if self.taken > 0 && self.shares[self.taken - 1].last >= k {
            // An earlier cut than the last one: start again.
            (self.taken, self.constant, self.strict, self.atom) = (0, Int::ZERO, false, Id::TRUE);
            self.terms.clear();
        }
        let before = self.taken;
        while self.taken < self.shares.len() && self.shares[self.taken].last < k {
            self.add(proof);
            self.taken += 1;
        }
        if self.taken == self.shares.len() {
            return Ok(Id::FALSE);
        }
        if self.taken > before {
            let t = Linear::new(self.terms.iter().map(|(x, a)| (*x, a.clone())), self.constant.clone());
            self.atom = pool.less_eq(&t, self.strict);
        }
        Ok(self.atom)
    }

    fn add(&mut self, proof: &Proof) {
        let share = &self.shares[self.taken];
        let Some((t, strict)) = proof.constraint(!share.literal) else { return };
        for (x, a) in t.terms() {
            let sum = self.terms.entry(*x).or_insert(Int::ZERO);
            *sum += &(a * &share.multiplier);
            if sum.is_zero() {
                self.terms.remove(x);
            }
        }
        self.constant += &(t.offset() * &share.multiplier);
        self.strict |= strict;
    }
}
