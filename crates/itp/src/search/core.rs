//! Which assumptions exclude each other, and the derivation of the clause that says so.

use super::analyze::Mark;
use super::{Outcome, Search, Step};
use crate::lit::Lit;
use crate::theory::Theory;

impl<T: Theory> Search<T> {
    /// The earlier assumptions imply that `assumption` is false. Every decision so far is an assumption.
    pub(super) fn refute_assumption(&mut self, assumption: Lit) -> Outcome {
        self.settle();
        let var = assumption.var();
        if self.trail.level_of(var) == 0 {
            return Outcome::Unsat { core: vec![assumption], step: Some(Step(self.units[var.index()])) };
        }
        let Some(reason) = self.reason_clause(!assumption) else {
            return Outcome::Unsat { core: vec![!assumption, assumption], step: None };
        };
        let mut core = vec![assumption];
        self.log.start(self.clauses.step(reason));
        self.mark_others(reason, !assumption);
        for i in (self.trail.end_of(0)..self.trail.position(var) as usize).rev() {
            let lit = self.trail.lit(i);
            if self.scratch.mark(lit.var()) == Mark::None {
                continue;
            }
            match self.reason_clause(lit) {
                Some(c) => {
                    self.log.resolve(lit.var(), self.clauses.step(c));
                    self.mark_others(c, lit);
                }
                None => core.push(lit),
            }
        }
        for i in 0..self.scratch.facts.len() {
            let fact = self.scratch.facts[i];
            self.log.resolve(fact, self.units[fact.index()]);
        }
        let step = self.log.finish();
        self.scratch.clear();
        Outcome::Unsat { core, step: Some(Step(step)) }
    }

    fn mark_others(&mut self, reason: super::ClauseRef, implied: Lit) {
        for &word in self.clauses.words(reason) {
            let lit = Lit::from_word(word);
            if lit == implied {
                continue;
            }
            if self.trail.level_of(lit.var()) == 0 {
                self.scratch.use_fact(lit.var());
            } else {
                self.scratch.set(lit.var(), Mark::Seen);
            }
        }
    }
}
