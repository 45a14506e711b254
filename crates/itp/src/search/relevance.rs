//! Which variable to decide next: never one that no unsatisfied clause needs.
//!
//! When every clause that must be satisfied has a true literal, what is left unassigned does not matter: Booleans are free, atoms of the
//! theory take the value that the theory's model gives them. A variable found to be unneeded stays so until the search backtracks below the level
//! at which this was seen. A variable that only occurs with one sign in unsatisfied clauses is decided with this sign.
//!
//! **Guards.** A clause that defines a gate, `¬g ∨ …` or `g ∨ …`, need not be satisfied as long as `g` has no value: if nobody needs `g`, the model gives
//! it the value of its definition. So nothing below a gate is decided before the gate has a value: of a formula with many branches, only
//! those taken cost anything. When a guard gets its value, what its clauses need is a candidate again.

use super::clause::ClauseRef;
use super::Search;
use crate::lit::Lit;

/// That a clause must be satisfied, once its guard, if it has one, is false.
#[derive(Clone, Copy)]
pub(super) struct Need {
    pub(super) clause: ClauseRef,
    guard: Lit,
}

impl Need {
    /// Stands for no guard.
    const ALWAYS: u32 = u32::MAX;

    pub(super) fn new(clause: ClauseRef, guard: Option<Lit>) -> Need {
        Need { clause, guard: guard.unwrap_or(Lit::from_word(Need::ALWAYS)) }
    }
}

impl<T> Search<T> {
    /// The next literal to decide; nothing when all clauses are satisfied.
    pub(super) fn next_decision(&mut self) -> Option<Lit> {
        if let Some(&split) = self.splits.iter().find(|&&l| self.trail.value(l) == 0) {
            return Some(split);
        }
        self.open_guards();
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

    /// Makes candidates of the variables in clauses whose guards became false.
    fn open_guards(&mut self) {
        while self.guard_head < self.trail.len() {
            let guard = !self.trail.lit(self.guard_head);
            self.guard_head += 1;
            for &c in &self.guarded[guard.code()] {
                for &word in self.clauses.words(c) {
                    let lit = Lit::from_word(word);
                    if self.trail.value(lit) == 0 {
                        self.heap.insert(lit.var());
                    }
                }
            }
        }
    }

    /// Whether a clause with `lit` has to be satisfied and has no true literal.
    fn is_needed(&mut self, lit: Lit) -> bool {
        (0..self.required[lit.code()].len()).any(|i| {
            let need = self.required[lit.code()][i];
            let open = need.guard.to_word() == Need::ALWAYS || self.trail.value(need.guard) < 0;
            open && !self.is_satisfied(need.clause)
        })
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
