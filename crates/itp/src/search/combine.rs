//! The search and the theory: what is asserted, implied, explained and asked for in the end.

use super::clause::{ClauseRef, Role};
use super::log::LogId;
use super::trail::Reason;
use super::{Outcome, Search};
use crate::linear::NumVar;
use crate::lit::Lit;
use crate::solver::Why;
use crate::theory::{Final, Lemma, Theory};
use crate::vocabulary::Vocabulary;

impl<T: Theory> Search<T> {
    /// Propagates clauses and theory to a fixpoint or to a clause that is false.
    pub(super) fn propagate_all(&mut self) -> Result<(), ClauseRef> {
        loop {
            if let Some(conflict) = self.propagate() {
                return Err(conflict);
            }
            let mut asserted = false;
            while self.theory_head < self.trail.len() {
                let lit = self.trail.lit(self.theory_head);
                self.theory_head += 1;
                if self.is_atom[lit.var().index()] {
                    asserted = true;
                    self.theory.assert(lit).map_err(|lemma| self.hold(lemma, None))?;
                }
            }
            if !asserted {
                return Ok(());
            }
            let mut implied = std::mem::take(&mut self.implied);
            implied.clear();
            let result = self.theory.propagate(&mut implied).map_err(|lemma| self.hold(lemma, None));
            let result = result.and_then(|()| self.follow(&implied));
            self.implied = implied;
            if !result? {
                return Ok(());
            }
        }
    }

    /// Sets what the theory implied; whether that was anything new.
    fn follow(&mut self, implied: &[Lit]) -> Result<bool, ClauseRef> {
        let before = self.trail.len();
        for &lit in implied {
            match self.trail.value(lit) {
                0 if !self.in_use[lit.var().index()] => {}
                0 => {
                    self.statistics.implied += 1;
                    self.trail.assign(lit, Reason::THEORY);
                }
                1 => {}
                _ => {
                    let lemma = self.theory.explain(lit);
                    return Err(self.hold(lemma, Some(lit)));
                }
            }
        }
        Ok(self.trail.len() > before)
    }

    /// Stores a lemma as a conflict or a reason; the literal `first` comes first.
    fn hold(&mut self, mut lemma: Lemma, first: Option<Lit>) -> ClauseRef {
        self.statistics.lemmas += 1;
        let step = self.log.lemma(&lemma.clause, lemma.certificate);
        if let Some(i) = first.and_then(|f| lemma.clause.iter().position(|&l| l == f)) {
            lemma.clause.swap(0, i);
        }
        self.clauses.add(&lemma.clause, Role::Reason, 0, step)
    }

    /// The clause that implied `lit`, which is true; the theory explains itself only now.
    pub(super) fn reason_clause(&mut self, lit: Lit) -> Option<ClauseRef> {
        let reason = self.trail.reason(lit.var());
        if reason != Reason::THEORY {
            return reason.as_clause();
        }
        let lemma = self.theory.explain(lit);
        debug_assert!(lemma.clause.contains(&lit), "{lit:?} is explained by {lemma:?}");
        let c = self.hold(lemma, Some(lit));
        debug_assert!(self
            .clauses
            .lits(c)
            .all(|l| l == lit || self.trail.value(l) < 0 && self.trail.position(l.var()) < self.trail.position(lit.var())));
        self.explanations.push(c);
        self.trail.set_reason(lit.var(), Reason::clause(c));
        Some(c)
    }

    /// Nothing is left to decide: the theory's turn. An outcome ends the search.
    pub(super) fn final_check(&mut self, vocabulary: &mut Vocabulary) -> Option<Outcome> {
        self.statistics.final_checks += 1;
        match self.theory.check(vocabulary) {
            Final::Consistent => {
                let variables = 0..self.trail.variables() as u32;
                self.assignment.clear();
                self.assignment.extend(variables.map(|v| self.trail.value(crate::lit::BoolVar(v).positive())));
                let numbers = 0..vocabulary.numbers().len() as u32;
                self.numbers.clear();
                self.numbers.extend(numbers.map(|x| self.theory.value(NumVar(x))));
                Some(Outcome::Sat)
            }
            Final::Conflict(lemma) => {
                let conflict = self.hold(lemma, None);
                self.statistics.conflicts += 1;
                self.learn_from(conflict);
                None
            }
            Final::Refine { lemmas, splits } => {
                self.grow(vocabulary);
                self.theory.declare(vocabulary);
                let lits = lemmas.iter().flat_map(|l| &l.clause).chain(&splits);
                lits.for_each(|l| self.in_use[l.var().index()] = true);
                let progress = !lemmas.is_empty() || splits.iter().any(|&l| self.trail.value(l) == 0);
                self.splits = splits;
                for lemma in lemmas {
                    self.add_lemma(lemma);
                }
                (!progress).then_some(Outcome::Unknown(Why::Theory))
            }
            Final::Unknown => Some(Outcome::Unknown(Why::Theory)),
        }
    }

    /// Adds a lemma that every model must satisfy, at any level.
    fn add_lemma(&mut self, lemma: Lemma) {
        if self.empty.is_some() {
            return;
        }
        self.statistics.lemmas += 1;
        let mut lits = lemma.clause;
        let step = self.log.lemma(&lits, lemma.certificate);
        if let [lit] = lits[..] {
            self.backtrack(0);
            self.settle();
            match self.trail.value(lit) {
                0 => self.assign_fact(lit, step),
                1 => {}
                _ => {
                    self.log.start(step);
                    self.log.resolve(lit.var(), self.units[lit.var().index()]);
                    self.empty = Some(self.log.finish());
                }
            }
            return;
        }
        // Watch what is not false, else what became false last.
        let rank = |l: &Lit| if self.trail.value(*l) >= 0 { u32::MAX } else { self.trail.level_of(l.var()) };
        lits.sort_by_key(|l| std::cmp::Reverse(rank(l)));
        let second = rank(&lits[1]);
        if rank(&lits[0]) == u32::MAX && second != u32::MAX && self.trail.value(lits[0]) == 0 {
            self.backtrack(second);
        }
        let c = self.require(&lits, step, None);
        if self.trail.value(lits[0]) < 0 {
            self.statistics.conflicts += 1;
            self.learn_from(c);
        } else if second != u32::MAX && self.trail.value(lits[0]) == 0 {
            self.trail.assign(lits[0], Reason::clause(c));
        }
    }

    /// Derives the facts of level 0 that have no derivation yet; their reasons are free then.
    pub(super) fn settle(&mut self) {
        let end = self.trail.end_of(0);
        while self.settled < end {
            let lit = self.trail.lit(self.settled);
            self.settled += 1;
            let var = lit.var();
            if self.log.is_enabled() && self.units[var.index()] == LogId::NONE {
                let Some(c) = self.reason_clause(lit) else { continue };
                self.log.start(self.clauses.step(c));
                for &word in self.clauses.words(c) {
                    let other = Lit::from_word(word).var();
                    if other != var {
                        self.log.resolve(other, self.units[other.index()]);
                    }
                }
                self.units[var.index()] = self.log.finish();
            }
            self.trail.set_reason(var, Reason::NONE);
        }
    }
}
