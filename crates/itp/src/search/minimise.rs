//! Removing literals from a learned clause that its other literals imply (Sörensson and Biere 2009), with the resolutions that do so.

use super::analyze::Mark;
use super::trail::Reason;
use super::Search;
use crate::lit::Lit;
use crate::theory::Theory;

impl<T: Theory> Search<T> {
    /// Drops implied literals of `scratch.clause` and appends to the chain in the log how they are resolved away.
    pub(super) fn minimise(&mut self) {
        self.scratch.new_levels();
        let mut clause = std::mem::take(&mut self.scratch.clause);
        for l in &clause[1..] {
            self.scratch.add_level(self.trail.level_of(l.var()));
        }
        let mut kept = 1;
        for i in 1..clause.len() {
            let lit = clause[i];
            if self.is_implied(lit) {
                self.scratch.removed.push(lit);
            } else {
                clause[kept] = lit;
                kept += 1;
            }
        }
        clause.truncate(kept);
        if self.log.is_enabled() && !self.scratch.removed.is_empty() {
            self.resolve_removed(&clause);
        }
        self.scratch.clause = clause;
    }

    /// Whether literals of the clause imply the negation of `lit`, one of them.
    fn is_implied(&mut self, lit: Lit) -> bool {
        // Asking the theory for explanations costs more than a literal.
        let Some(reason) = self.trail.reason(lit.var()).as_clause() else { return false };
        let scratch = &mut self.scratch;
        scratch.stack.clear();
        scratch.stack.push((lit.var(), reason, 0));
        while let Some((var, reason, next)) = scratch.stack.last_mut() {
            let Some(&word) = self.clauses.words(*reason).get(*next as usize) else {
                let var = *var;
                if scratch.mark(var) == Mark::None {
                    scratch.set(var, Mark::Implied);
                }
                scratch.stack.pop();
                continue;
            };
            *next += 1;
            let other = Lit::from_word(word).var();
            let level = self.trail.level_of(other);
            if other == *var || level == 0 || matches!(scratch.mark(other), Mark::Seen | Mark::Implied) {
                continue;
            }
            match self.trail.reason(other).as_clause() {
                Some(c) if scratch.mark(other) == Mark::None && scratch.has_level(level) => scratch.stack.push((other, c, 0)),
                _ => {
                    for i in 0..scratch.stack.len() {
                        let var = scratch.stack[i].0;
                        if scratch.mark(var) == Mark::None {
                            scratch.set(var, Mark::Independent);
                        }
                    }
                    return false;
                }
            }
        }
        true
    }

    /// Logs the resolutions: what was removed and all it depends on outside of the clause, last on the trail first.
    fn resolve_removed(&mut self, clause: &[Lit]) {
        for l in clause {
            self.scratch.set(l.var(), Mark::Kept);
        }
        let mut pivots = std::mem::take(&mut self.scratch.removed);
        for l in &pivots {
            self.scratch.set(l.var(), Mark::Resolve);
        }
        let mut i = 0;
        while i < pivots.len() {
            let var = pivots[i].var();
            i += 1;
            let Some(c) = self.trail.reason(var).as_clause() else { continue };
            for &word in self.clauses.words(c) {
                let other = Lit::from_word(word);
                if other.var() == var {
                    continue;
                }
                if self.trail.level_of(other.var()) == 0 {
                    self.scratch.use_fact(other.var());
                } else if !matches!(self.scratch.mark(other.var()), Mark::Kept | Mark::Resolve) {
                    self.scratch.set(other.var(), Mark::Resolve);
                    pivots.push(other);
                }
            }
        }
        pivots.sort_by_key(|l| std::cmp::Reverse(self.trail.position(l.var())));
        for l in &pivots {
            let reason = self.trail.reason(l.var());
            debug_assert_ne!(reason, Reason::NONE);
            if let Some(c) = reason.as_clause() {
                self.log.resolve(l.var(), self.clauses.step(c));
            }
        }
        self.scratch.removed = pivots;
    }
}
