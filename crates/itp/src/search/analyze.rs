//! What a conflict teaches: a clause with a single literal of the conflict's level, the first unique implication point.

use super::clause::{ClauseRef, Role};
use super::trail::Reason;
use super::Search;
use crate::lit::{BoolVar, Lit};
use crate::theory::Theory;

/// What analysis knows of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mark {
    #[default]
    None,
    /// It is in the clause, or was resolved away, or is a fact used.
    Seen,
    /// The clause implies that it has its value.
    Implied,
    /// Not found to be implied.
    Independent,
    /// It is in the learned clause.
    Kept,
    /// It has to be resolved away.
    Resolve,
}

/// Tables of the analysis, empty between conflicts.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) marks: Vec<Mark>,
    pub(super) marked: Vec<BoolVar>,
    /// Facts of level 0 to be resolved away.
    pub(super) facts: Vec<BoolVar>,
    /// The learned clause; its first literal is the asserting one.
    pub(super) clause: Vec<Lit>,
    pub(super) removed: Vec<Lit>,
    pub(super) stack: Vec<(BoolVar, ClauseRef, u32)>,
    levels: Vec<u32>,
    stamp: u32,
}

impl Scratch {
    pub(super) fn grow(&mut self, count: usize) {
        self.marks.resize(count, Mark::None);
        self.levels.resize(count + 1, 0);
    }

    #[inline]
    pub(super) fn mark(&self, var: BoolVar) -> Mark {
        self.marks[var.index()]
    }

    #[inline]
    pub(super) fn set(&mut self, var: BoolVar, mark: Mark) {
        let old = &mut self.marks[var.index()];
        if *old == Mark::None {
            self.marked.push(var);
        }
        *old = mark;
    }

    /// Notes that the fact `var` has to be resolved away.
    #[inline]
    pub(super) fn use_fact(&mut self, var: BoolVar) {
        if self.mark(var) == Mark::None {
            self.set(var, Mark::Seen);
            self.facts.push(var);
        }
    }

    pub(super) fn clear(&mut self) {
        for var in self.marked.drain(..) {
            self.marks[var.index()] = Mark::None;
        }
        self.facts.clear();
        self.removed.clear();
    }

    /// Begins a new set of levels.
    pub(super) fn new_levels(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.levels.fill(0);
            self.stamp = 1;
        }
    }

    /// Adds a level; whether it was not in the set.
    #[inline]
    pub(super) fn add_level(&mut self, level: u32) -> bool {
        let i = level as usize;
        if i >= self.levels.len() {
            // Assumptions that hold already have levels without variables.
            self.levels.resize(i + 1, 0);
        }
        std::mem::replace(&mut self.levels[i], self.stamp) != self.stamp
    }

    #[inline]
    pub(super) fn has_level(&self, level: u32) -> bool {
        self.levels.get(level as usize) == Some(&self.stamp)
    }
}

impl<T: Theory> Search<T> {
    /// Learns from a clause that is false, and backtracks to where the learned clause sets a literal; or derives the empty clause.
    pub(super) fn learn_from(&mut self, conflict: ClauseRef) {
        let top = self.clauses.lits(conflict).map(|l| self.trail.level_of(l.var())).max().unwrap_or(0);
        self.backtrack(top);
        if top == 0 {
            self.refute(conflict);
            return;
        }
        self.find_uip(conflict);
        self.minimise();
        for i in 0..self.scratch.facts.len() {
            let var = self.scratch.facts[i];
            self.log.resolve(var, self.units[var.index()]);
        }
        let step = self.log.finish();
        self.scratch.clear();
        if self.clauses.role(conflict) == Role::Reason {
            self.clauses.delete(conflict);
        }

        let mut clause = std::mem::take(&mut self.scratch.clause);
        let asserting = clause[0];
        if clause.len() == 1 {
            self.backtrack(0);
            self.assign_fact(asserting, step);
            self.restart.learned(self.statistics.conflicts, 1);
        } else {
            let lbd = self.lbd(&clause);
            let last = (1..clause.len()).max_by_key(|&i| self.trail.level_of(clause[i].var())).unwrap_or(1);
            clause.swap(1, last);
            self.backtrack(self.trail.level_of(clause[1].var()));
            let c = self.clauses.add(&clause, Role::Learned, lbd, step);
            self.clauses.set_used(c, 1);
            self.attach(c);
            self.learned.push(c);
            self.trail.assign(asserting, Reason::clause(c));
            self.restart.learned(self.statistics.conflicts, lbd);
        }
        self.scratch.clause = clause;
        self.heap.decay(if self.restart.is_stable() { 0.95 } else { 0.92 });
    }

    /// Resolves backwards along the trail until one literal of the current level is left; fills `scratch.clause`.
    fn find_uip(&mut self, conflict: ClauseRef) {
        let level = self.trail.level();
        self.scratch.clause.clear();
        self.scratch.clause.push(Lit::from_word(0));
        self.log.start(self.clauses.step(conflict));
        let mut clause = conflict;
        let mut pivot = None;
        let mut open = 0u32;
        let mut index = self.trail.len();
        loop {
            self.note_use(clause);
            for i in 0..self.clauses.len(clause) {
                let lit = self.clauses.lit(clause, i);
                let var = lit.var();
                if Some(lit) == pivot || self.scratch.mark(var) != Mark::None {
                    continue;
                }
                let at = self.trail.level_of(var);
                if at == 0 {
                    self.scratch.use_fact(var);
                    continue;
                }
                self.scratch.set(var, Mark::Seen);
                self.heap.bump(var);
                if at == level {
                    open += 1;
                } else {
                    self.scratch.clause.push(lit);
                }
            }
            loop {
                index -= 1;
                if self.scratch.mark(self.trail.lit(index).var()) != Mark::None {
                    break;
                }
            }
            let lit = self.trail.lit(index);
            open -= 1;
            if open == 0 {
                self.scratch.clause[0] = !lit;
                return;
            }
            match self.reason_clause(lit) {
                Some(c) => clause = c,
                // Only the decision of the level has no reason, and it comes last.
                None => unreachable!("a literal behind the decision has a reason"),
            }
            pivot = Some(lit);
            self.log.resolve(lit.var(), self.clauses.step(clause));
        }
    }

    /// A learned clause that takes part in conflicts is worth keeping.
    #[inline]
    fn note_use(&mut self, c: ClauseRef) {
        if self.clauses.role(c) != Role::Learned {
            return;
        }
        let lbd = self.clauses.note(c);
        if lbd > 2 {
            self.scratch.new_levels();
            let mut new = 0;
            for &word in self.clauses.words(c) {
                if self.scratch.add_level(self.trail.level_of(Lit::from_word(word).var())) {
                    new += 1;
                    if new >= lbd {
                        break;
                    }
                }
            }
            self.clauses.set_note(c, new.min(lbd));
        }
        self.clauses.set_used(c, if lbd <= 6 { 2 } else { 1 });
    }

    fn lbd(&mut self, clause: &[Lit]) -> u32 {
        self.scratch.new_levels();
        clause.iter().filter(|l| self.scratch.add_level(self.trail.level_of(l.var()))).count() as u32
    }

    /// Derives the empty clause from a clause whose literals are all false at level 0.
    fn refute(&mut self, conflict: ClauseRef) {
        self.settle();
        self.log.start(self.clauses.step(conflict));
        for &word in self.clauses.words(conflict) {
            let var = Lit::from_word(word).var();
            self.log.resolve(var, self.units[var.index()]);
        }
        self.empty = Some(self.log.finish());
    }
}
