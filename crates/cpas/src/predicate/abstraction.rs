//! Predicate abstraction by solver calls, with what was found out kept.
//!
//! Explorations that start again after a refinement come to the same blocks from the same regions. A block has a solver of its own, which is told its formula once; regions
//! are stated in scopes above it. Values of predicates and whole abstractions are remembered.

use super::Shape;
use crate::block::Formula;
use plumb_smt::abstraction::{boolean, literals, Predicate};
use plumb_smt::Entailment;
use plumb_term::{Budget, Term};
use rustc_hash::FxHashMap;
use std::fmt;

/// A Boolean abstraction with more rows becomes one of clauses of two literals.
const MOST_ROWS: usize = 128;
/// More solvers are not kept.
const MOST_SOLVERS: usize = 24;

/// Computes abstractions.
pub(super) struct Abstracter {
    shape: Shape,
    budget: Budget,
    /// For implications.
    solver: Entailment,
    /// By the formula of a block.
    blocks: FxHashMap<Term, Entailment>,
    implied: FxHashMap<(Term, Term), bool>,
    /// The results so far, by what was known and the predicates over the start of the block.
    found: FxHashMap<(Term, Vec<Term>), Option<Term>>,
    /// Whether what was known implies a predicate over the start of the block (true), excludes it (false), or neither.
    literals: FxHashMap<(Term, Term), Option<bool>>,
}

impl fmt::Debug for Abstracter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Abstracter").field("shape", &self.shape).finish_non_exhaustive()
    }
}

impl Abstracter {
    /// Questions that the budget leaves no time for count as undecided.
    pub(super) fn new(shape: Shape, budget: &Budget) -> Result<Abstracter, String> {
        Ok(Abstracter {
            shape,
            budget: budget.clone(),
            solver: Entailment::new(budget)?,
            blocks: FxHashMap::default(),
            implied: FxHashMap::default(),
            found: FxHashMap::default(),
            literals: FxHashMap::default(),
        })
    }

    /// Whether `a` is known to imply `b`.
    pub(super) fn implies(&mut self, a: Term, b: Term) -> bool {
        if let Some(known) = self.implied.get(&(a, b)) {
            return *known;
        }
        let answer = self.solver.entails(a, b);
        self.implied.insert((a, b), answer);
        answer
    }

    /// What the predicates say of the states that the block leads to from the region; `None` if there are none.
    pub(super) fn abstraction(&mut self, region: Term, since: &Formula, predicates: &[Term]) -> Option<Term> {
        let facts = region.and(since.condition());
        if facts.is_false() {
            return None;
        }
        let both: Vec<Predicate> = predicates.iter().filter(|p| p.as_bool().is_none()).map(|p| (*p, since.before(*p))).collect();
        let key = (facts, both.iter().flat_map(|(p, before)| [*p, *before]).collect::<Vec<_>>());
        if let Some(known) = self.found.get(&key) {
            return *known;
        }
        if self.blocks.len() >= MOST_SOLVERS && !self.blocks.contains_key(&since.condition()) {
            self.blocks.clear();
        }
        let solver = match self.blocks.entry(since.condition()) {
            std::collections::hash_map::Entry::Occupied(e) => e.into_mut(),
            std::collections::hash_map::Entry::Vacant(e) => {
                // Without a solver nothing is known.
                let Ok(mut solver) = Entailment::new(&self.budget) else { return Some(Term::tt()) };
                since.condition().conjuncts().into_iter().for_each(|c| solver.assert(c));
                e.insert(solver)
            }
        };
        let (shape, values) = (self.shape, &mut self.literals);
        let out = solver.with(&region.conjuncts(), |solver| match solver.model_of(Term::tt()) {
            Some(None) => None,
            _ => Some(strongest(solver, facts, &both, shape, values)),
        });
        self.found.insert(key, out);
        out
    }
}

/// What predicates say under facts which the solver has been told.
fn strongest(
    solver: &mut Entailment,
    facts: Term,
    predicates: &[Predicate],
    shape: Shape,
    known: &mut FxHashMap<(Term, Term), Option<bool>>,
) -> Term {
    for (_, before) in predicates {
        if let Some(value) = before.as_bool() {
            known.insert((facts, *before), Some(value));
        }
    }
    let asked: Vec<Predicate> = predicates.iter().copied().filter(|(_, before)| !known.contains_key(&(facts, *before))).collect();
    for ((_, before), value) in asked.iter().zip(literals(solver, &asked)) {
        known.insert((facts, *before), value);
    }
    let value = |p: &Predicate| known.get(&(facts, p.1)).copied().flatten();
    let fixed = predicates.iter().filter_map(|p| Some(if value(p)? { p.0 } else { p.0.not() }));
    let mut all: Vec<Term> = fixed.collect();
    let open: Vec<Predicate> = predicates.iter().copied().filter(|p| value(p).is_none()).collect();
    if shape == Shape::Boolean && open.len() > 1 {
        all.push(boolean(solver, &open, MOST_ROWS));
    }
    Term::all(all)
}
