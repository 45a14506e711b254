//! The greatest set of candidates that all clauses preserve, and what of it the proof needs.
//!
//! All candidates are assumed, and dropped when a block does not preserve them, until none is left to drop (Flanagan and Leino, FME 2001). If what
//! remains excludes the error, unsatisfiable cores lead back from the error to the few candidates that are needed.

use plumb_smt::{CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::visit::{size, substitute};
use plumb_term::{Budget, Term, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::time::Duration;

/// A question about several candidates that takes longer becomes smaller ones.
const HASTE: Duration = Duration::from_millis(250);

/// A Horn clause over numbered relations.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The relations that hold before, of these arguments.
    pub body: Vec<(usize, Vec<Term>)>,
    /// The constraint.
    pub condition: Term,
    /// The relation that holds then, of these arguments; none for an error.
    pub head: Option<(usize, Vec<Term>)>,
}

/// A clause with its candidates put in: for those who choose the arguments themselves.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The constraint.
    pub condition: Term,
    /// What candidates say before, by relation and number; one may say several things.
    pub before: Vec<(usize, usize, Term)>,
    /// The relation that holds then; none for an error.
    pub to: Option<usize>,
    /// What its candidates say there.
    pub after: Vec<Term>,
}

/// One clause with its solver and what candidates say before and after it.
struct Step {
    solver: Z3Solver,
    patience: Duration,
    /// The candidates of the relations of the body, by relation and number, and what each says in one use.
    before: Vec<(usize, usize, Term)>,
    /// The relation at the end.
    to: Option<usize>,
    /// By candidate of the relation at the end.
    after: Vec<Term>,
}

/// Clauses and the candidates that are left of each relation.
pub struct Houdini<'a> {
    candidates: &'a [Vec<Term>],
    steps: Vec<Step>,
    left: Vec<BTreeSet<usize>>,
}

impl<'a> Houdini<'a> {
    /// All candidates of relations over the variables `names`; nothing if there is no solver. A question that takes longer than `patience`
    /// counts against the candidates it is about.
    pub fn new(
        names: &[Vec<Var>],
        clauses: &[Clause],
        candidates: &'a [Vec<Term>],
        patience: Duration,
        budget: &Budget,
    ) -> Option<Houdini<'a>> {
        let at = |relation: usize, arguments: &[Term], t: Term| {
            let map: FxHashMap<Var, Term> = names[relation].iter().copied().zip(arguments.iter().copied()).collect();
            substitute(t, &|v| map.get(&v).copied())
        };
        let prepare = |clause: &Clause| {
            let mut before = Vec::new();
            for (r, arguments) in &clause.body {
                before.extend(candidates[*r].iter().enumerate().map(|(j, t)| (*r, j, at(*r, arguments, *t))));
            }
            let (to, after) = match &clause.head {
                Some((r, a)) => (Some(*r), candidates[*r].iter().map(|t| at(*r, a, *t)).collect()),
                None => (None, Vec::new()),
            };
            Prepared { condition: clause.condition, before, to, after }
        };
        Houdini::prepared(clauses.iter().map(prepare).collect(), candidates, patience, budget)
    }

    /// The same, of clauses that have their candidates.
    pub fn prepared(clauses: Vec<Prepared>, candidates: &'a [Vec<Term>], patience: Duration, budget: &Budget) -> Option<Houdini<'a>> {
        let mut steps = Vec::new();
        for Prepared { condition, before, to, after } in clauses {
            let limits = Limits { query_time: Some(patience), ..Limits::default() };
            let mut solver = Z3Solver::without_tactics(Encoding::Int, &limits).ok()?;
            solver.set_budget(budget);
            solver.assert(condition);
            steps.push(Step { solver, patience, before, to, after });
        }
        let left = candidates.iter().map(|c| (0..c.len()).collect()).collect();
        Some(Houdini { candidates, steps, left })
    }

    /// Drops candidates until the clauses preserve the rest; nothing if time is over.
    pub fn weaken(&mut self, budget: &Budget) -> Option<()> {
        let mut work: BTreeSet<usize> = (0..self.steps.len()).filter(|i| self.steps[*i].to.is_some()).collect();
        while let Some(i) = work.pop_first() {
            let Some(to) = self.steps[i].to else { continue };
            let before = self.left[to].len();
            self.steps[i].preserve(&mut self.left, to, budget)?;
            if self.left[to].len() < before {
                work.extend((0..self.steps.len()).filter(|k| self.steps[*k].to.is_some() && self.steps[*k].uses(to)));
            }
        }
        Some(())
    }

    /// The candidates that are left, by relation.
    pub fn left(&self) -> Vec<Vec<Term>> {
        self.text(&self.left)
    }

    /// Of the candidates that are left, those that exclude the error and those that these need; nothing if they do not exclude it, or no time.
    pub fn needed(&mut self, budget: &Budget) -> Option<Vec<Vec<Term>>> {
        needed(&mut self.steps, &self.left, budget).map(|n| self.text(&n))
    }

    /// As [`Houdini::needed`], without most of what cores keep though others say it, as far as the time for that goes.
    pub fn concise(&mut self, thinning: Duration, budget: &Budget) -> Option<Vec<Vec<Term>>> {
        let mut sets = needed(&mut self.steps, &self.left, budget)?;
        // What is said at the ends of the lists is the most special.
        let each: Vec<(usize, usize)> = sets.iter().enumerate().flat_map(|(r, set)| set.iter().map(move |j| (r, *j))).rev().collect();
        self.without(&each, &mut sets, &budget.part(3).at_most(thinning));
        Some(self.text(&sets))
    }

    /// Takes away those of some candidates that the proof does not need: all at once, or halves of them.
    fn without(&mut self, some: &[(usize, usize)], sets: &mut [BTreeSet<usize>], budget: &Budget) {
        if some.is_empty() || budget.is_over() {
            return;
        }
        some.iter().for_each(|(r, j)| _ = sets[*r].remove(j));
        let weaker = |s: &Step| some.iter().any(|(r, _)| s.uses(*r));
        if self.steps.iter_mut().filter(|s| weaker(s)).all(|s| s.proves(sets)) {
            return;
        }
        some.iter().for_each(|(r, j)| _ = sets[*r].insert(*j));
        if some.len() > 1 {
            let (first, second) = some.split_at(some.len() / 2);
            self.without(first, sets, budget);
            self.without(second, sets, budget);
        }
    }

    fn text(&self, sets: &[BTreeSet<usize>]) -> Vec<Vec<Term>> {
        sets.iter().zip(self.candidates).map(|(set, all)| set.iter().map(|j| all[*j]).collect()).collect()
    }
}

impl Step {
    /// Whether a relation holds before.
    fn uses(&self, relation: usize) -> bool {
        self.before.iter().any(|b| b.0 == relation)
    }

    /// What the candidates that are left say at the start.
    fn assumed(&self, left: &[BTreeSet<usize>]) -> Vec<Term> {
        self.before.iter().filter(|(r, j, t)| left[*r].contains(j) && !t.is_true()).map(|b| b.2).collect()
    }

    /// Drops what does not hold at the end; nothing if time is over.
    ///
    /// Of a loop of one block, what is assumed shrinks with what is asked for. A counterexample to more assumptions is one to fewer, so
    /// they are only renewed when there is none any more.
    fn preserve(&mut self, left: &mut [BTreeSet<usize>], to: usize, budget: &Budget) -> Option<()> {
        loop {
            let assumed = self.assumed(left);
            let before = left[to].len();
            self.solver.push();
            assumed.iter().for_each(|t| self.solver.assert(*t));
            let done = self.refute(left, to, budget);
            self.solver.pop();
            done?;
            if !self.uses(to) || left[to].len() == before {
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
            self.solver.set_query_time(if asked.len() > 1 { HASTE.min(self.patience) } else { self.patience });
            // Asserted, not assumed: what stands for an assumption stays in the solver, and many of them make it a hundred times slower.
            self.solver.push();
            self.solver.assert(bad);
            let answer = self.solver.check();
            let model = if answer == CheckResult::Sat { self.solver.model() } else { None };
            self.solver.pop();
            match answer {
                CheckResult::Unsat => held.extend(asked),
                CheckResult::Sat => {
                    let model = model?;
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

    /// Whether these candidates hold after the clause if they do before; for an error, whether they exclude it.
    fn proves(&mut self, sets: &[BTreeSet<usize>]) -> bool {
        let after = self.to.map(|to| Term::all(sets[to].iter().map(|j| self.after[*j])));
        if after.is_some_and(Term::is_true) {
            return true;
        }
        self.solver.set_query_time(HASTE.min(self.patience));
        self.solver.push();
        self.assumed(sets).into_iter().chain(after.map(Term::not)).for_each(|t| self.solver.assert(t));
        let answer = self.solver.check();
        self.solver.pop();
        answer.is_unsat()
    }

    /// Which candidates at the start make `bad` impossible, by relation; nothing if that is not decided.
    fn core(&mut self, left: &[BTreeSet<usize>], bad: Option<Term>) -> Option<Vec<(usize, usize)>> {
        let assumptions: Vec<Term> = self.assumed(left).into_iter().chain(bad).collect();
        self.solver.set_query_time(self.patience);
        if !self.solver.check_assuming(&assumptions).is_unsat() {
            return None;
        }
        let core: BTreeSet<Term> = self.solver.unsat_core().into_iter().collect();
        let used = |(r, j, t): &&(usize, usize, Term)| left[*r].contains(j) && core.contains(t);
        Some(self.before.iter().filter(used).map(|(r, j, _)| (*r, *j)).collect())
    }
}

/// The candidates that exclude the error, and those that these need.
fn needed(steps: &mut [Step], left: &[BTreeSet<usize>], budget: &Budget) -> Option<Vec<BTreeSet<usize>>> {
    let mut needed: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); left.len()];
    let mut work: Vec<(usize, usize)> = Vec::new();
    for s in steps.iter_mut().filter(|s| s.to.is_none()) {
        work.extend(s.core(left, None)?);
    }
    while let Some((relation, j)) = work.pop() {
        if budget.is_over() {
            return None;
        }
        if !needed[relation].insert(j) {
            continue;
        }
        for s in steps.iter_mut().filter(|s| s.to == Some(relation)) {
            let bad = s.after[j].not();
            work.extend(s.core(left, Some(bad))?);
        }
    }
    Some(needed)
}
