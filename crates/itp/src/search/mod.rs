//! CDCL(T): conflict-driven search for an assignment that satisfies all clauses and that the theory accepts, or a derivation of the empty clause.
//!
//! **The picture.** The [`Trail`] holds a partial assignment, which unit propagation over two watched literals ([`propagate`]) and
//! the theory ([`combine`]) extend; a conflict is analysed to its first unique implication point ([`analyze`]), minimised ([`minimise`]) and turned into a
//! learned clause that drives the search elsewhere. Variables that no unsatisfied clause needs are not decided ([`relevance`]): a formula with
//! guards costs what its taken branches cost. Every derived clause has a step in the [`Log`].
//!
//! **Invariants.** Decisions are made when nothing is left to propagate, to the theory neither. Facts of level 0 have a derivation of
//! their own (`units`), so learned clauses do without their literals. A reason's other literals are false and stand before its own on the trail.
//!
//! **Source.** Eén and Sörensson, *An extensible SAT-solver*, 2003; Nieuwenhuis, Oliveras and Tinelli, *Solving SAT and SAT modulo theories*, 2006.

mod analyze;
mod clause;
mod combine;
mod core;
mod heap;
mod log;
mod minimise;
mod propagate;
mod reduce;
mod refutation;
mod relevance;
mod restart;
mod trail;

use crate::lit::{BoolVar, Lit};
use crate::proof::{Atom, Part, Proof};
use crate::solver::{Budget, Config, Statistics, Why};
use crate::theory::Theory;
use crate::vocabulary::Vocabulary;
use analyze::Scratch;
use clause::{ClauseRef, Clauses, Role};
use heap::Heap;
use log::{Log, LogId};
use plumb_num::Rat;
use propagate::Watch;
use relevance::Need;
use restart::Restart;
use trail::{Reason, Trail};

/// What a search found.
pub(crate) enum Outcome {
    /// A model; see [`Search::assignment`] and [`Search::numbers`].
    Sat,
    /// No model under these assumptions, and the step that says so (none when two assumptions are opposite).
    Unsat {
        /// The assumptions that were used.
        core: Vec<Lit>,
        /// What was derived.
        step: Option<Step>,
    },
    /// Nothing within the budget.
    Unknown(Why),
}

/// A derivation that can be turned into a proof.
#[derive(Clone, Copy)]
pub(crate) struct Step(LogId);

/// The state of a search. See the module's documentation.
pub(crate) struct Search<T> {
    theory: T,
    trail: Trail,
    clauses: Clauses,
    /// By literal: the clauses to look at when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// By literal: the clauses that must be satisfied and contain it, not as their guard.
    required: Vec<Vec<Need>>,
    /// By literal: the clauses whose guard it is.
    guarded: Vec<Vec<ClauseRef>>,
    learned: Vec<ClauseRef>,
    /// Explanations of the theory that may still be a reason.
    explanations: Vec<ClauseRef>,
    heap: Heap,
    /// The value to decide: the last one, else the suggested one.
    phase: Vec<bool>,
    is_suggested: Vec<bool>,
    /// Whether the variable is an atom of the theory.
    is_atom: Vec<bool>,
    /// Whether the variable occurs in a clause, a split or an assumption; what the theory says of others is not heard.
    in_use: Vec<bool>,
    /// The derivation of each fact of level 0.
    units: Vec<LogId>,
    /// Variables that need no value, with the level at which this was seen.
    skipped: Vec<(u32, BoolVar)>,
    splits: Vec<Lit>,
    implied: Vec<Lit>,
    /// How much of the trail is propagated, known to the theory, looked at for guards, derived in the log.
    head: usize,
    theory_head: usize,
    guard_head: usize,
    settled: usize,
    restart: Restart,
    scratch: Scratch,
    log: Log,
    /// The empty clause, once it is derived.
    empty: Option<LogId>,
    reduce_at: u64,
    reductions: u64,
    simplify_at: u64,
    simplified: usize,
    pub(crate) statistics: Statistics,
    assignment: Vec<i8>,
    numbers: Vec<Rat>,
}

impl<T: Theory> Search<T> {
    pub(crate) fn new(theory: T, config: Config) -> Search<T> {
        Search {
            theory,
            trail: Trail::default(),
            clauses: Clauses::default(),
            watches: Vec::new(),
            required: Vec::new(),
            guarded: Vec::new(),
            learned: Vec::new(),
            explanations: Vec::new(),
            heap: Heap::default(),
            phase: Vec::new(),
            is_suggested: Vec::new(),
            is_atom: Vec::new(),
            in_use: Vec::new(),
            units: Vec::new(),
            skipped: Vec::new(),
            splits: Vec::new(),
            implied: Vec::new(),
            head: 0,
            theory_head: 0,
            guard_head: 0,
            settled: 0,
            restart: Restart::new(),
            scratch: Scratch::default(),
            log: Log::new(config.proofs, config.log_words),
            empty: None,
            reduce_at: reduce::FIRST,
            reductions: 0,
            simplify_at: 0,
            simplified: 0,
            statistics: Statistics::default(),
            assignment: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Makes room for the variables of `vocabulary`.
    pub(crate) fn grow(&mut self, vocabulary: &Vocabulary) {
        let (old, count) = (self.phase.len(), vocabulary.booleans().len());
        if count > old {
            self.trail.grow(count);
            self.watches.resize_with(2 * count, Vec::new);
            self.required.resize_with(2 * count, Vec::new);
            self.guarded.resize_with(2 * count, Vec::new);
            self.heap.grow(count);
            self.phase.resize(count, false);
            self.in_use.resize(count, false);
            self.is_suggested.resize(count, false);
            self.units.resize(count, LogId::NONE);
            self.is_atom.extend(vocabulary.booleans()[old..].iter().map(|m| m.atom != Atom::Boolean));
            self.scratch.grow(count);
        }
    }

    /// Lets the first decision on a variable be that `lit` is true, unless another was suggested before.
    pub(crate) fn suggest(&mut self, lit: Lit) {
        let var = lit.var().index();
        if !std::mem::replace(&mut self.is_suggested[var], true) {
            self.phase[var] = lit.is_positive();
        }
    }

    /// Adds a clause of a part, without repeated or opposite literals. At level 0. It need not be satisfied while its literal `guard`
    /// has no value: see [`relevance`].
    pub(crate) fn add_input(&mut self, part: Part, lits: &mut [Lit], guard: Option<Lit>) {
        debug_assert_eq!(self.trail.level(), 0);
        if self.empty.is_some() || lits.iter().any(|&l| self.trail.value(l) > 0) {
            return;
        }
        let step = self.log.input(part, lits);
        lits.iter().for_each(|l| self.in_use[l.var().index()] = true);
        lits.sort_by_key(|&l| self.trail.value(l) < 0);
        let open = lits.iter().filter(|&&l| self.trail.value(l) == 0).count();
        if open >= 2 {
            self.require(lits, step, guard);
            return;
        }
        self.settle();
        self.log.start(step);
        for &l in &lits[open..] {
            self.log.resolve(l.var(), self.units[l.var().index()]);
        }
        let step = self.log.finish();
        match open {
            0 => self.empty = Some(step),
            _ => self.assign_fact(lits[0], step),
        }
    }

    /// Adds a clause with at least two literals that every model must satisfy; the first two are watched.
    fn require(&mut self, lits: &[Lit], step: LogId, guard: Option<Lit>) -> ClauseRef {
        let c = self.clauses.add(lits, Role::Required, 0, step);
        self.attach(c);
        if let Some(g) = guard {
            self.guarded[g.code()].push(c);
        }
        for &l in lits.iter().filter(|&&l| Some(l) != guard) {
            self.required[l.code()].push(Need::new(c, guard));
            if !self.trail.is_assigned(l.var()) {
                self.heap.insert(l.var());
            }
        }
        c
    }

    /// Sets a literal at level 0 that `step` derives.
    fn assign_fact(&mut self, lit: Lit, step: LogId) {
        debug_assert_eq!(self.trail.level(), 0);
        self.trail.assign(lit, Reason::NONE);
        self.units[lit.var().index()] = step;
    }

    fn decide(&mut self, lit: Lit) {
        self.open_level();
        self.trail.assign(lit, Reason::NONE);
        self.statistics.decisions += 1;
    }

    fn open_level(&mut self) {
        self.trail.open_level();
        self.theory.push();
    }

    fn backtrack(&mut self, level: u32) {
        let current = self.trail.level();
        if level >= current {
            return;
        }
        while let Some(lit) = self.trail.undo_above(level) {
            self.phase[lit.var().index()] = lit.is_positive();
            self.heap.insert(lit.var());
        }
        while let Some(&(_, var)) = self.skipped.last().filter(|s| s.0 > level) {
            self.heap.insert(var);
            self.skipped.pop();
        }
        self.head = self.head.min(self.trail.len());
        self.theory_head = self.theory_head.min(self.trail.len());
        self.guard_head = self.guard_head.min(self.trail.len());
        self.splits.clear();
        self.theory.pop((current - level) as usize);
    }

    /// Searches for a model of the clauses and the assumptions.
    pub(crate) fn solve(&mut self, vocabulary: &mut Vocabulary, assumptions: &[Lit], budget: &Budget) -> Outcome {
        self.grow(vocabulary);
        self.theory.declare(vocabulary);
        self.theory.begin(&budget.time);
        assumptions.iter().for_each(|l| self.in_use[l.var().index()] = true);
        let outcome = self.run(vocabulary, assumptions, budget);
        self.backtrack(0);
        // What was skipped at level 0 may matter to the next question.
        while let Some((_, var)) = self.skipped.pop() {
            self.heap.insert(var);
        }
        outcome
    }

    fn run(&mut self, vocabulary: &mut Vocabulary, assumptions: &[Lit], budget: &Budget) -> Outcome {
        let conflict_limit = budget.conflicts.map(|c| self.statistics.conflicts.saturating_add(c));
        let work_limit = budget.work.map(|w| self.theory.work().saturating_add(w));
        let mut rounds = 0u32;
        loop {
            if let Some(empty) = self.empty {
                return Outcome::Unsat { core: Vec::new(), step: Some(Step(empty)) };
            }
            rounds = rounds.wrapping_add(1);
            if work_limit.is_some_and(|w| self.theory.work() >= w) {
                return Outcome::Unknown(Why::Theory);
            }
            if let Some(why) = self.exhausted(budget, conflict_limit, rounds) {
                return Outcome::Unknown(why);
            }
            if let Err(conflict) = self.propagate_all() {
                self.statistics.conflicts += 1;
                self.learn_from(conflict);
                continue;
            }
            if self.restart.is_due(self.statistics.conflicts) {
                self.statistics.restarts += 1;
                self.backtrack(assumptions.len() as u32);
            }
            self.keep_tidy();
            if let Some(&assumption) = assumptions.get(self.trail.level() as usize) {
                match self.trail.value(assumption) {
                    0 => self.decide(assumption),
                    1 => self.open_level(),
                    _ => return self.refute_assumption(assumption),
                }
            } else if let Some(lit) = self.next_decision() {
                self.decide(lit);
            } else if let Some(outcome) = self.final_check(vocabulary) {
                return outcome;
            }
        }
    }

    /// The limit that was reached, if one was; the costly ones are looked at now and then.
    fn exhausted(&self, budget: &Budget, conflict_limit: Option<u64>, rounds: u32) -> Option<Why> {
        if conflict_limit.is_some_and(|c| self.statistics.conflicts >= c) {
            return Some(Why::Conflicts);
        }
        if rounds % 16 != 0 {
            return None;
        }
        if budget.memory.is_some_and(|m| self.memory() > m) || self.log.is_full() {
            return Some(Why::Memory);
        }
        budget.time.is_over().then_some(Why::Time)
    }

    /// The value of each variable in the model: 1, -1, or 0 where it does not matter.
    pub(crate) fn assignment(&self) -> &[i8] {
        &self.assignment
    }

    /// The value of each number in the model.
    pub(crate) fn numbers(&self) -> &[Rat] {
        &self.numbers
    }

    /// The proof of what `step` derives, without the literals of variables that are `hidden`.
    pub(crate) fn refutation(&self, step: Step, vocabulary: &Vocabulary, parts: u32, hidden: &[bool]) -> Proof {
        refutation::build(&self.log, step.0, vocabulary, parts, hidden)
    }

    /// The theory, to ask what it did.
    pub(crate) fn theory(&self) -> &T {
        &self.theory
    }

    /// Bytes held by clauses and log.
    fn memory(&self) -> usize {
        self.clauses.memory() * 3 + self.log.memory()
    }
}
