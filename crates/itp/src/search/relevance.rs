//! Which variable to decide next: never one that no unsatisfied clause contains.
//!
//! When every clause that must be satisfied has a true literal, what is left unassigned does not matter: Booleans are free, atoms of the
//! theory take the value that the theory's model gives them. A variable found to be unneeded stays so until the search backtracks below the level
//! at which this was seen. A variable that only occurs with one sign in unsatisfied clauses is decided with this sign.

use super::clause::ClauseRef;
use super::Search;
use crate::lit::Lit;

impl<T> Search<T> {
    /// The next literal to decide; nothing when all clauses are satisfied.
    pub(super) fn next_decision(&mut self) -> Option<Lit> {
        if let Some(&split) = self.splits.iter().find(|&&l| self.trail.value(l) == 0) {
            return Some(split);
        }
        while let Some(var) = self.heap.pop() {
            if self.trail.is_assigned(var) {
                continue;
            }
            let preferred = Lit::new(var, self.phase[var.index()]);
            if self.is_needed(preferred) {
                return Some(preferred);
            }
            if self.is_needed(!preferred) {
                return Some(!preferred);
            }
            self.skipped.push((self.trail.level(), var));
        }
        None
    }

    /// Whether a clause with `lit` has no true literal.
    fn is_needed(&mut self, lit: Lit) -> bool {
        (0..self.required[lit.code()].len()).any(|i| !self.is_satisfied(self.required[lit.code()][i]))
    }

    fn is_satisfied(&mut self, c: ClauseRef) -> bool {
        let hint = self.clauses.note(c) as usize;
        if self.trail.value(self.clauses.lit(c, hint)) > 0 {
            return true;
        }
        let found = self.clauses.words(c).iter().position(|&w| self.trail.value(Lit::from_word(w)) > 0);
        if let Some(i) = found {
            self.clauses.set_note(c, i as u32);
        }
        found.is_some()
    }
}
