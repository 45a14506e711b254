//! The greatest set of candidates that all clauses preserve, and what of it the proof needs.
//!
//! All candidates are assumed, and dropped when a block does not preserve them, until none is left to drop (Flanagan and Leino, FME 2001). If what
//! remains excludes the error, unsatisfiable cores lead back from the error to the few candidates that are needed.

use crate::arrays::clauses::{Clause, Clauses};
use plumb_smt::{CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::visit::{size, substitute};
use plumb_term::{Budget, Term, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Duration;

/// A question that takes longer counts against the candidates it is about.
const PATIENCE: Duration = Duration::from_millis(1500);

/// One clause with its solver and what candidates say before and after it.
struct Step<'a> {
    clause: &'a Clause,
    solver: Z3Solver,
    /// By candidate of the relation at the start: what it says in each use.
    before: Vec<Vec<Term>>,
    /// By candidate of the relation at the end.
    after: Vec<Term>,
}

/// Candidates, by cut point, that are inductive together and exclude the error; nothing if there are none, or no time.
pub fn inductive(clauses: &Clauses<'_>, list: &[Clause], candidates: &[Vec<Term>], budget: &Budget) -> Option<Vec<Vec<Term>>> {
    let names: Vec<Vec<Var>> = clauses.places().iter().map(|p| clauses.vars(p)).collect();
    let at = |cut: usize, arguments: &[Term], t: Term| {
        let map: FxHashMap<Var, Term> = names[cut].iter().copied().zip(arguments.iter().copied()).collect();
        substitute(t, &|v| map.get(&v).copied())
    };
    let mut steps = Vec::new();
    for clause in list {
        let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
        let mut solver = Z3Solver::without_tactics(Encoding::Int, &limits).ok()?;
        solver.set_budget(budget);
        solver.assert(clause.condition);
        let start = clause.body.first().map_or(&[][..], |(c, _)| candidates[*c].as_slice());
        let before = start.iter().map(|t| clause.body.iter().map(|(c, a)| at(*c, a, *t)).collect()).collect();
        let after = clause.head.as_ref().map_or_else(Vec::new, |(c, a)| candidates[*c].iter().map(|t| at(*c, a, *t)).collect());
        steps.push(Step { clause, solver, before, after });
    }
    let mut left: Vec<BTreeSet<usize>> = candidates.iter().map(|c| (0..c.len()).collect()).collect();
    let mut work: BTreeSet<usize> = (0..steps.len()).filter(|i| list[*i].head.is_some()).collect();
    while let Some(i) = work.pop_first() {
        let Some((to, _)) = list[i].head else { continue };
        let before = left[to].len();
        steps[i].preserve(&mut left, to, budget)?;
        if left[to].len() < before {
            work.extend((0..steps.len()).filter(|k| list[*k].head.is_some() && list[*k].body.first().is_some_and(|(c, _)| *c == to)));
        }
    }
    needed(&mut steps, &left, budget).map(|n| {
        let text = |(c, set): (usize, BTreeSet<usize>)| set.into_iter().map(|j| candidates[c][j]).collect();
        n.into_iter().enumerate().map(text).collect()
    })
}

impl Step<'_> {
    /// What the candidates that are left say at the start.
    fn assumed(&self, left: &[BTreeSet<usize>]) -> Vec<Term> {
        let Some((from, _)) = self.clause.body.first() else { return Vec::new() };
        left[*from].iter().flat_map(|j| self.before[*j].iter().copied()).filter(|t| !t.is_true()).collect()
    }

    /// Drops what does not hold at the end; nothing if time is over.
    ///
    /// Of a loop of one block, what is assumed shrinks with what is asked for. A counterexample to more assumptions is one to fewer, so
    /// they are only renewed when there is none any more.
    fn preserve(&mut self, left: &mut [BTreeSet<usize>], to: usize, budget: &Budget) -> Option<()> {
        let from = self.clause.body.first().map(|(c, _)| *c);
        loop {
            let assumed = self.assumed(left);
            let before = from.map_or(0, |c| left[c].len());
            self.solver.push();
            assumed.iter().for_each(|t| self.solver.assert(*t));
            let done = self.refute(left, to, budget);
            self.solver.pop();
            done?;
            if from != Some(to) || left[to].len() == before {
                return Some(());
            }
        }
    }

    /// Drops what does not hold at the end under what the solver knows.
    fn refute(&mut self, left: &mut [BTreeSet<usize>], to: usize, budget: &Budget) -> Option<()> {
        let mut held: BTreeSet<usize> = BTreeSet::new();
        // Smaller questions after one that was not decided.
        let mut most = usize::MAX;
        loop {
            if budget.is_over() {
                return None;
            }
            let mut asked: Vec<usize> = left[to].iter().copied().filter(|j| !held.contains(j)).collect();
            if asked.is_empty() {
                return Some(());
            }
            if most < asked.len() {
                asked.sort_by_key(|j| size(self.after[*j]));
                asked.truncate(most);
            }
            let bad = Term::all(asked.iter().map(|j| self.after[*j])).not();
            match self.solver.check_assuming(&[bad]) {
                CheckResult::Unsat => held.extend(asked),
                CheckResult::Sat => {
                    let model = self.solver.model()?;
                    let count = left[to].len();
                    left[to].retain(|j| model.holds(self.after[*j]) == Some(true));
                    if left[to].len() == count {
                        // The model does not say which: none is known to hold.
                        asked.iter().for_each(|j| _ = left[to].remove(j));
                    }
                }
                CheckResult::Unknown(_) if asked.len() > 1 => most = asked.len() / 2,
                CheckResult::Unknown(_) => asked.iter().for_each(|j| _ = left[to].remove(j)),
            }
        }
    }

    /// Which candidates at the start make `bad` impossible; nothing if that is not decided.
    fn core(&mut self, left: &[BTreeSet<usize>], bad: Option<Term>) -> Option<Vec<usize>> {
        let assumptions: Vec<Term> = self.assumed(left).into_iter().chain(bad).collect();
        if !self.solver.check_assuming(&assumptions).is_unsat() {
            return None;
        }
        let core: BTreeSet<Term> = self.solver.unsat_core().into_iter().collect();
        let Some((from, _)) = self.clause.body.first() else { return Some(Vec::new()) };
        Some(left[*from].iter().copied().filter(|j| self.before[*j].iter().any(|t| core.contains(t))).collect())
    }
}

/// The candidates that exclude the error, and those that these need.
fn needed(steps: &mut [Step<'_>], left: &[BTreeSet<usize>], budget: &Budget) -> Option<Vec<BTreeSet<usize>>> {
    let mut needed: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); left.len()];
    let mut work: Vec<(usize, usize)> = Vec::new();
    let mut add = |work: &mut Vec<(usize, usize)>, cut: usize, found: Vec<usize>| {
        for j in found {
            if needed[cut].insert(j) {
                work.push((cut, j));
            }
        }
    };
    for s in steps.iter_mut().filter(|s| s.clause.head.is_none()) {
        let found = s.core(left, None)?;
        if let Some((from, _)) = s.clause.body.first() {
            add(&mut work, *from, found);
        }
    }
    while let Some((cut, j)) = work.pop() {
        if budget.is_over() {
            return None;
        }
        for s in steps.iter_mut().filter(|s| s.clause.head.as_ref().is_some_and(|(to, _)| *to == cut)) {
            let found = s.core(left, Some(s.after[j].not()))?;
            if let Some((from, _)) = s.clause.body.first() {
                add(&mut work, *from, found);
            }
        }
    }
    Some(needed)
}
