//! Predicate abstraction by solver calls.

use super::Shape;
use crate::block::Formula;
use plumb_smt::{CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::Term;
use rustc_hash::FxHashMap;
use std::fmt;
use std::time::Duration;

/// For one question; what is not answered is not known, which only weakens an abstraction.
const PATIENCE: Duration = Duration::from_secs(2);
/// A Boolean abstraction with more cubes is made Cartesian.
const MAX_CUBES: usize = 64;

/// Computes abstractions.
pub(super) struct Abstracter {
    solver: Z3Solver,
    shape: Shape,
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
    pub(super) fn new(shape: Shape) -> Result<Abstracter, String> {
        let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
        let solver = Z3Solver::without_tactics(Encoding::Int, &limits).map_err(|e| e.to_string())?;
        Ok(Abstracter { solver, shape, implied: FxHashMap::default(), found: FxHashMap::default(), literals: FxHashMap::default() })
    }

    /// Whether `a` is known to imply `b`.
    pub(super) fn implies(&mut self, a: Term, b: Term) -> bool {
        if let Some(known) = self.implied.get(&(a, b)) {
            return *known;
        }
        let answer = self.solver.implies(a, b) == Some(true);
        self.implied.insert((a, b), answer);
        answer
    }

    /// What the predicates say of the states that the block leads to from the region; `None` if there are none.
    pub(super) fn abstraction(&mut self, region: Term, since: &Formula, predicates: &[Term]) -> Option<Term> {
        let facts = region.and(since.condition());
        if facts.is_false() {
            return None;
        }
        let key = (facts, predicates.iter().flat_map(|p| [*p, since.before(*p)]).collect::<Vec<_>>());
        if let Some(known) = self.found.get(&key) {
            return *known;
        }
        self.solver.push();
        facts.conjuncts().into_iter().for_each(|c| self.solver.assert(c));
        let out = match self.solver.check() {
            CheckResult::Unsat => None,
            CheckResult::Sat | CheckResult::Unknown(_) => Some(self.strongest(facts, since, predicates)),
        };
        self.solver.pop();
        self.found.insert(key, out);
        out
    }

    fn strongest(&mut self, facts: Term, since: &Formula, predicates: &[Term]) -> Term {
        let mut literals = Vec::new();
        let mut open: Vec<(Term, Term)> = Vec::new();
        for p in predicates.iter().filter(|p| p.as_bool().is_none()) {
            let before = since.before(*p);
            match self.literal(facts, before) {
                Some(true) => literals.push(*p),
                Some(false) => literals.push(p.not()),
                None => open.push((*p, before)),
            }
        }
        if self.shape == Shape::Boolean && open.len() > 1 {
            literals.extend(self.combinations(&open));
        }
        Term::all(literals)
    }

    /// What the facts, which the solver has been told, say of a predicate.
    fn literal(&mut self, facts: Term, before: Term) -> Option<bool> {
        if let Some(known) = self.literals.get(&(facts, before)) {
            return *known;
        }
        let found = if before.as_bool().is_some() {
            before.as_bool()
        } else if self.solver.check_assuming(&[before.not()]).is_unsat() {
            Some(true)
        } else if self.solver.check_assuming(&[before]).is_unsat() {
            Some(false)
        } else {
            None
        };
        self.literals.insert((facts, before), found);
        found
    }

    /// The Boolean combination of predicates that are neither implied nor excluded; `None` if it has too many cubes.
    fn combinations(&mut self, open: &[(Term, Term)]) -> Option<Term> {
        let mut cubes = Vec::new();
        self.solver.push();
        let out = loop {
            match self.solver.check() {
                CheckResult::Unsat => break Some(Term::any(cubes)),
                CheckResult::Unknown(_) => break None,
                CheckResult::Sat => {}
            }
            let Some(model) = self.solver.model().filter(|_| cubes.len() < MAX_CUBES) else { break None };
            let truth: Option<Vec<bool>> = open.iter().map(|(_, before)| model.holds(*before)).collect();
            let Some(truth) = truth else { break None };
            let literal = |t: Term, b: bool| if b { t } else { t.not() };
            cubes.push(Term::all(open.iter().zip(&truth).map(|((p, _), b)| literal(*p, *b))));
            self.solver.assert(Term::all(open.iter().zip(&truth).map(|((_, before), b)| literal(*before, *b))).not());
        };
        self.solver.pop();
        out
    }
}
