//! Keeping memory in bounds: forgetting learned clauses, satisfied clauses, explanations, and the part of the log that only they needed.

use super::clause::{ClauseRef, Role};
use super::trail::Reason;
use super::Search;
use crate::lit::BoolVar;
use crate::theory::Theory;

/// Conflicts before the first reduction.
pub(super) const FIRST: u64 = 2000;
const STEP: u64 = 300;
/// Learned clauses over so few levels are kept for good.
const CORE_LBD: u32 = 2;
const EXPLANATIONS: usize = 10_000;

impl<T: Theory> Search<T> {
    /// Between propagation and decision: whatever is due.
    pub(super) fn keep_tidy(&mut self) {
        if self.trail.level() == 0 {
            self.settle();
            self.simplify();
        }
        if self.statistics.conflicts >= self.reduce_at {
            self.reductions += 1;
            self.reduce_at = self.statistics.conflicts + FIRST + STEP * self.reductions;
            self.reduce();
        }
        if self.explanations.len() > EXPLANATIONS + 2 * self.trail.len() {
            self.forget_explanations();
        }
        if self.clauses.is_wasteful() && self.clauses.memory() > 1 << 16 {
            self.collect_garbage();
        }
        if self.log.is_large() {
            self.compact_log();
        }
    }

    fn is_reason(&self, c: ClauseRef) -> bool {
        // The implied literal is one of the first two: binary clauses are not reordered.
        (0..2.min(self.clauses.len(c))).any(|i| {
            let lit = self.clauses.lit(c, i);
            self.trail.value(lit) > 0 && self.trail.reason(lit.var()) == Reason::clause(c)
        })
    }

    /// Forgets the worse three quarters of the learned clauses that were not used lately.
    fn reduce(&mut self) {
        let mut candidates = Vec::new();
        for &c in &self.learned {
            let used = self.clauses.used(c);
            if used > 0 {
                self.clauses.set_used(c, used - 1);
            } else if self.clauses.note(c) > CORE_LBD && !self.is_reason(c) {
                candidates.push((self.clauses.note(c), self.clauses.len(c), c));
            }
        }
        candidates.sort_unstable();
        for &(_, _, c) in &candidates[candidates.len() / 4..] {
            self.clauses.delete(c);
        }
        self.forget_explanations();
        self.sweep();
    }

    fn forget_explanations(&mut self) {
        let mut explanations = std::mem::take(&mut self.explanations);
        explanations.retain(|&c| {
            let keep = self.is_reason(c);
            if !keep {
                self.clauses.delete(c);
            }
            keep
        });
        self.explanations = explanations;
    }

    /// Forgets clauses that facts satisfy, when enough was done since the last time to pay for it.
    fn simplify(&mut self) {
        if self.trail.len() == self.simplified || self.statistics.propagations < self.simplify_at {
            return;
        }
        let satisfied: Vec<ClauseRef> = self
            .clauses
            .iter()
            .filter(|&c| self.clauses.role(c) != Role::Reason && self.clauses.lits(c).any(|l| self.trail.value(l) > 0))
            .collect();
        for c in satisfied {
            self.clauses.delete(c);
        }
        self.sweep();
        self.simplified = self.trail.len();
        self.simplify_at = self.statistics.propagations + self.clauses.memory() as u64 / 8;
    }

    /// Removes deleted clauses from all lists.
    fn sweep(&mut self) {
        let clauses = &self.clauses;
        self.learned.retain(|&c| !clauses.is_deleted(c));
        for list in &mut self.watches {
            list.retain(|w| !clauses.is_deleted(w.clause()));
        }
        for list in &mut self.required {
            list.retain(|n| !clauses.is_deleted(n.clause));
        }
        for list in &mut self.guarded {
            list.retain(|&c| !clauses.is_deleted(c));
        }
    }

    /// Closes the gaps in the arena. No list holds a deleted clause.
    fn collect_garbage(&mut self) {
        let moved = self.clauses.compact();
        let relocate = |list: &mut Vec<ClauseRef>| {
            list.retain_mut(|c| moved.to(*c).map(|to| *c = to).is_some());
        };
        relocate(&mut self.learned);
        relocate(&mut self.explanations);
        self.guarded.iter_mut().for_each(relocate);
        for list in &mut self.required {
            list.retain_mut(|n| moved.to(n.clause).map(|to| n.clause = to).is_some());
        }
        for list in &mut self.watches {
            list.retain_mut(|w| moved.to(w.clause()).map(|to| *w = w.moved(to)).is_some());
        }
        for i in 0..self.trail.len() {
            let var = self.trail.lit(i).var();
            if let Some(c) = self.trail.reason(var).as_clause() {
                // A clause that is a reason is never deleted.
                self.trail.set_reason(var, moved.to(c).map_or(Reason::NONE, Reason::clause));
            }
        }
    }

    fn compact_log(&mut self) {
        let refs: Vec<ClauseRef> = self.clauses.iter().collect();
        let facts = 0..self.trail.variables() as u32;
        let facts = facts.filter(|&v| self.trail.is_assigned(BoolVar(v)) && self.trail.level_of(BoolVar(v)) == 0);
        let facts: Vec<usize> = facts.map(|v| v as usize).collect();
        let roots = refs.iter().map(|&c| self.clauses.step(c)).chain(facts.iter().map(|&v| self.units[v]));
        let to = self.log.compact(roots.collect::<Vec<_>>());
        for c in refs {
            let step = self.clauses.step(c);
            self.clauses.set_step(c, to[step.0 as usize]);
        }
        for v in facts {
            let step = self.units[v];
            if let Some(&new) = to.get(step.0 as usize) {
                self.units[v] = new;
            }
        }
    }
}
