//! From rational to integer solutions.
//!
//! In this order: small moves of nonbasic columns ([`patch`](super::patch)); a row whose free columns have a common divisor that excludes its fixed part; all equations together
//! ([`diophantine`](super::diophantine)); a cut of Chvátal and Gomory whose variables occur together in some part; a branch. A cut `t ≤ ⌊c⌋` is a
//! new atom with a Farkas lemma: its negation `t ≥ ⌊c⌋+1` contradicts `t ≤ c`, which bounds imply over the rationals. A branch is a new atom and
//! needs no lemma.

use super::diophantine::{solve, Outcome};
use super::num::Num;
use super::tableau::{Col, Row};
use super::value::Value;
use super::Arithmetic;
use crate::linear::Linear;
use crate::lit::Lit;
use crate::proof::Certificate;
use crate::theory::{Final, Lemma};
use crate::vocabulary::{Literal, Vocabulary};
use plumb_num::{Int, Rat};
use std::collections::BTreeMap;

/// Branchings for one question.
const SPLITS: u32 = 1500;

/// Cuts for one question.
const CUTS: u32 = 200;

/// Coefficients of cuts stay below this.
const CUT_COEFFICIENT: i64 = 1 << 20;

/// Additions of terms in the Diophantine solver for one question, to begin with.
const DIOPHANTINE_STEPS: usize = 500_000;

/// Additions of terms that each check grants.
const DIOPHANTINE_GRANT: usize = 5_000;

/// What is left of the effort for one question, and the seed of choices.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    splits: u32,
    cuts: u32,
    checks: u32,
    diophantine: usize,
    random: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { splits: SPLITS, cuts: CUTS, checks: 0, diophantine: DIOPHANTINE_STEPS, random: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl Effort {
    pub(crate) fn refill(&mut self) {
        *self = Effort::default();
    }

    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }
}

/// The largest integer that is not above a value.
fn floor(value: &Value) -> Int {
    let floor = value.real().floor();
    if value.real().is_integer() && value.infinitesimal().signum() < 0 {
        floor - Int::ONE
    } else {
        floor
    }
}

impl Arithmetic {
    /// What is wrong with the rational solution as an integer one, or nothing.
    pub(crate) fn check_integers(&mut self, vocabulary: &mut Vocabulary) -> Option<Final> {
        let mut fractional = self.fractional();
        if !fractional.is_empty() {
            self.patch(&fractional);
            fractional = self.fractional();
        }
        if fractional.is_empty() {
            return None;
        }
        self.integer.checks += 1;
        self.integer.diophantine += DIOPHANTINE_GRANT;
        let lemma = self.indivisible_row(&fractional);
        if let Some(lemma) = lemma.or_else(|| self.indivisible_system()) {
            self.statistics.divisibility += 1;
            return Some(Final::Conflict(lemma));
        }
        if self.integer.checks % 2 == 1 && self.integer.cuts > 0 {
            let lemmas = self.cuts(&fractional, vocabulary);
            if !lemmas.is_empty() {
                self.integer.cuts = self.integer.cuts.saturating_sub(lemmas.len() as u32);
                self.statistics.cuts += lemmas.len() as u64;
                return Some(Final::Refine { lemmas, splits: Vec::new() });
            }
        }
        if self.integer.splits == 0 {
            return Some(Final::Unknown);
        }
        self.integer.splits -= 1;
        self.statistics.splits += 1;
        match self.split(&fractional, vocabulary) {
            Some(lit) => Some(Final::Refine { lemmas: Vec::new(), splits: vec![lit] }),
            None => Some(Final::Unknown),
        }
    }

    /// The integer variables whose values are not.
    fn fractional(&self) -> Vec<Col> {
        let is_fractional = |c: &Col| self.forms[c.index()].integer && !self.bounds.value(*c).is_integer();
        self.columns.iter().copied().filter(is_fractional).collect()
    }

    /// A row of a fractional column that no integers satisfy.
    fn indivisible_row(&self, fractional: &[Col]) -> Option<Lemma> {
        fractional.iter().filter_map(|c| self.tableau.row_of(*c)).find_map(|row| {
            let mut g = Int::ZERO;
            let mut constant = Rat::ZERO;
            for e in self.tableau.row(row) {
                if !self.forms[e.col.index()].integer {
                    return None;
                }
                match self.bounds.of(e.col).fixed() {
                    Some((b, _)) => constant = &constant + &b.value.real().scaled(&e.coefficient, &Int::ONE).to_rat(),
                    None => g = g.gcd(&e.coefficient),
                }
                if g.is_one() {
                    return None;
                }
            }
            if g.is_zero() || (&constant / &Rat::from(g.clone())).is_integer() {
                return None;
            }
            let fixed = self.tableau.row(row).iter().filter(|e| self.bounds.of(e.col).fixed().is_some());
            Some(self.divisibility(fixed.map(|e| (e.col, Rat::new(e.coefficient.clone(), g.clone())))))
        })
    }

    /// A combination of all equations that no integers satisfy.
    fn indivisible_system(&mut self) -> Option<Lemma> {
        let fixed: Vec<Col> = (0..self.forms.len() as u32)
            .map(Col)
            .filter(|c| self.forms[c.index()].integer && self.bounds.of(*c).fixed().is_some_and(|(b, _)| b.value.is_integer()))
            .collect();
        let equations = fixed.iter().map(|c| {
            let terms = self.forms[c.index()].terms.iter().map(|(x, a)| (x.index(), a.clone())).collect();
            let constant = self.bounds.of(*c).fixed().map_or(Int::ZERO, |(b, _)| -b.value.real().floor());
            (terms, constant)
        });
        let mut steps = self.integer.diophantine;
        let outcome = solve(equations, self.columns.len(), &mut steps);
        // What ran out of steps waits for more.
        self.integer.diophantine = if outcome == Outcome::Exhausted { 0 } else { steps };
        match outcome {
            Outcome::Unsolvable(multipliers) => Some(self.divisibility(multipliers.into_iter().map(|(i, m)| (fixed[i], m)))),
            Outcome::Solvable | Outcome::Exhausted => None,
        }
    }

    /// The lemma that the fixed columns with these multipliers exclude integers.
    fn divisibility(&self, multipliers: impl Iterator<Item = (Col, Rat)>) -> Lemma {
        let mut clause = Vec::new();
        let mut factors = Vec::new();
        for (col, m) in multipliers {
            if let Some((lower, upper)) = self.bounds.of(col).fixed() {
                // The first of a pair is f - v ≤ 0.
                clause.extend([!upper.lit, !lower.lit]);
                factors.push(m);
            }
        }
        debug_assert!(self.is_indivisible(&clause, &factors), "not a certificate of divisibility");
        Lemma { clause, certificate: Certificate::Divisibility(factors) }
    }

    fn is_indivisible(&self, clause: &[Lit], factors: &[Rat]) -> bool {
        let mut sums: BTreeMap<_, Rat> = BTreeMap::new();
        let mut constant = Rat::ZERO;
        for (pair, m) in clause.chunks(2).zip(factors) {
            let Some(t) = self.threshold(pair[0]) else { return false };
            if t.le != !pair[0] {
                return false;
            }
            for (x, a) in &self.forms[t.col.index()].terms {
                let sum = sums.get(x).unwrap_or(&Rat::ZERO) + &(m * &Rat::from(a.clone()));
                sums.insert(*x, sum);
            }
            constant = &constant + &(m * &t.at_most.real().to_rat());
        }
        sums.values().all(Rat::is_integer) && !constant.is_integer()
    }

    /// Cuts from the rows of some fractional columns.
    fn cuts(&mut self, fractional: &[Col], vocabulary: &mut Vocabulary) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        let start = self.integer.random() as usize % fractional.len();
        for i in 0..fractional.len().min(8) {
            let col = fractional[(start + i) % fractional.len()];
            let Some(row) = self.tableau.row_of(col) else { continue };
            for flip in [false, true] {
                lemmas.extend(self.cut(row, flip, vocabulary));
            }
            if lemmas.len() >= 2 {
                break;
            }
        }
        lemmas
    }

    /// The cut of a row: with `x + Σ aᵢ·xᵢ = 0`, or its negation, the fractional parts of the `aᵢ` times the bounds at which the `xᵢ` are add up to an
    /// integer form, whose constant may be rounded.
    fn cut(&mut self, row: Row, flip: bool, vocabulary: &mut Vocabulary) -> Option<Lemma> {
        let divisor = self.tableau.basic_coefficient(row).clone();
        let divisor = if flip { -divisor } else { divisor };
        let mut items: Vec<(Lit, Num)> = Vec::new();
        let mut terms: Vec<(Col, Int)> = Vec::new();
        let mut bound = Num::ZERO;
        for e in self.tableau.row(row) {
            let range = self.bounds.of(e.col);
            if !self.forms[e.col.index()].integer {
                return None;
            }
            let a = Num::ratio(&e.coefficient, &divisor);
            let down = a.floor();
            if a.is_integer() {
                terms.push((e.col, -down));
            } else if let Some(u) = range.upper.as_ref().filter(|u| u.value == range.value) {
                let part = &a - &Num::int(&down);
                bound = &bound + &(&part * u.value.real());
                items.push((u.lit, part));
                terms.push((e.col, -down));
            } else if let Some(l) = range.lower.as_ref().filter(|l| l.value == range.value) {
                let up = down + Int::ONE;
                let part = &Num::int(&up) - &a;
                bound = &bound - &(&part * l.value.real());
                items.push((l.lit, part));
                terms.push((e.col, -up));
            } else {
                return None;
            }
        }
        if bound.is_integer() || items.is_empty() {
            return None;
        }
        let expanded = terms.iter().flat_map(|(c, a)| self.forms[c.index()].terms.iter().map(move |(x, b)| (*x, a * b)));
        let form = Linear::new(expanded, -bound.floor());
        let small = |a: &Int| a.abs() < Int::from(CUT_COEFFICIENT);
        if form.is_constant() || !form.terms().iter().all(|(_, a)| small(a)) || vocabulary.common_parts(&form).is_empty() {
            return None;
        }
        let Literal::Lit(lit) = vocabulary.less_eq(&form) else { return None };
        vocabulary.place(lit.var());
        crate::theory::Theory::declare(self, vocabulary);
        if self.is_known(lit) {
            return None;
        }
        let common = items.iter().fold(Int::ONE, |m, (_, part)| m.lcm(part.to_rat().den()));
        let divisor = form.terms().iter().fold(Int::ZERO, |g, (_, a)| g.gcd(a));
        let mut whole: Vec<(Lit, Int)> = items.iter().map(|(l, part)| (*l, part.scaled(&common, &Int::ONE).floor())).collect();
        whole.push((!lit, &divisor * &common));
        Some(self.farkas(&whole))
    }

    /// How many integers a column may be, less one; nothing if there is no end.
    fn width(&self, col: Col) -> Option<Num> {
        let range = self.bounds.of(col);
        match (&range.lower, &range.upper) {
            (Some(l), Some(u)) => Some(u.value.real() - l.value.real()),
            _ => None,
        }
    }

    /// A new atom that excludes the current value of a fractional column or, where those have no bounds, fixes a bounded column of their rows.
    fn split(&mut self, fractional: &[Col], vocabulary: &mut Vocabulary) -> Option<Lit> {
        let start = self.integer.random() as usize % fractional.len();
        let rotated = (0..fractional.len()).map(|i| fractional[(start + i) % fractional.len()]);
        let narrowest = rotated.clone().filter_map(|c| self.width(c).map(|w| (w, c))).min_by(|a, b| a.0.cmp(&b.0));
        if let Some((_, col)) = narrowest {
            return self.split_at(col, vocabulary);
        }
        let related = rotated.filter_map(|c| self.tableau.row_of(c)).take(8).flat_map(|r| self.tableau.row(r).iter().map(|e| e.col));
        let bounded = related
            .filter(|c| self.forms[c.index()].integer)
            .filter_map(|c| self.width(c).filter(|w| w.signum() > 0).map(|w| (w, c)))
            .min_by(|a, b| a.0.cmp(&b.0));
        // Fixing a column at its value leads to an end if it has few, but not always to a solution.
        match bounded {
            Some((_, col)) if self.integer.random() % 4 != 0 => self.split_at(col, vocabulary),
            _ => self.split_at(fractional[start], vocabulary),
        }
    }

    /// The literal that bounds `col` by its rounded value, or by its value from the side where it is not bounded yet.
    fn split_at(&mut self, col: Col, vocabulary: &mut Vocabulary) -> Option<Lit> {
        let value = self.bounds.value(col);
        let down = floor(value);
        let (threshold, below) = if value.is_integer() {
            match self.bounds.of(col).can_grow() {
                true => (down, true),
                false => (down - Int::ONE, false),
            }
        } else {
            let fraction = value.real() - &Num::int(&down);
            let near = fraction <= Num::Small(1, 2);
            (down, near)
        };
        let form = Linear::new(self.forms[col.index()].terms.iter().cloned(), -threshold);
        let Literal::Lit(lit) = vocabulary.less_eq(&form) else { return None };
        vocabulary.place(lit.var());
        crate::theory::Theory::declare(self, vocabulary);
        Some(if below { lit } else { !lit })
    }
}
